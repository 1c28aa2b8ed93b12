/** The octets of the module: `build.sh` writes the file. */
export function octets(): Uint8Array<ArrayBuffer>;
