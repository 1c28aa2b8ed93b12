python3 -m venv new
. new/bin/activate
install_by 'Python 3.11 or newer (PySpark 4.1)'
python - <<'PYTHON'
import pathlib
import sevenbit

for path in pathlib.Path("corpus/mail").glob("*.eml"):
    out = pathlib.Path("out", path.name)
    out.parent.mkdir(exist_ok=True)
    out.write_bytes(sevenbit.normalize(path.read_bytes(), profile="archive").octets)
PYTHON
same out
