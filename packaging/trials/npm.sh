mkdir out
export npm_config_offline=true npm_config_audit=false npm_config_fund=false
install_by JavaScript
cat >dist/main.mjs <<'JAVASCRIPT'
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { normalize } from "sevenbit";

for (const name of readdirSync("corpus/mail").filter((name) => name.endsWith(".eml"))) {
  writeFileSync(`out/${name}`, normalize(new Uint8Array(readFileSync(`corpus/mail/${name}`)), { profile: "archive" }).octets);
}
JAVASCRIPT
node dist/main.mjs
same out
