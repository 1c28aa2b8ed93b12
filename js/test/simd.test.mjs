// Which of the two modules is requested.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasSimd } from "../dist/full/simd.js";

/** The engine's answer about vectors is `answer` while `work` is done. */
async function answering(answer, work) {
  const { validate } = WebAssembly;
  WebAssembly.validate = () => answer;
  try {
    return await work();
  } finally {
    WebAssembly.validate = validate;
  }
}

for (const [answer, wanted] of [[true, "sevenbit-simd.wasm"], [false, "sevenbit.wasm"]]) {
  test(`an engine ${answer ? "with" : "without"} vectors loads ${wanted}`, async () => {
    const asked = [];
    const { fetch } = globalThis;
    globalThis.fetch = (url) => {
      asked.push(new URL(url).pathname.split("/").at(-1));
      return Promise.reject(new Error("enough"));
    };
    try {
      await answering(answer, async () => {
        assert.equal(hasSimd(), answer);
        await assert.rejects(import(`../dist/full/web.js?${answer}`), /enough/);
      });
    } finally {
      globalThis.fetch = fetch;
    }
    assert.deepEqual(asked, [wanted]);
  });
}
