import * as wasm from "./glue.js";
import { type Issue, issuesOf } from "./issue.js";
import { needOctets, needRoom, type OwnOctets } from "./arguments.js";
import { type NormalizeOptions, optionsOf } from "./options.js";

/** A message in its normal form. */
export interface Normalized<Given extends Uint8Array = Uint8Array> {
  /** The octets; if the message stays as it is, the same array that was passed in. */
  octets: Given | OwnOctets;
  /** Whether anything changed. */
  changed: boolean;
  /** Whether the message stays as it is because a signature would break (`signed: "refuse"`). */
  refused: boolean;
  /** The issues: what was found and done. */
  issues: Issue[];
}

/** Writes a message in its normal form: 7-bit safe, its meaning kept. Any octets have a result. */
export function normalize<Given extends Uint8Array>(message: Given, options: NormalizeOptions = {}): Normalized<Given> {
  needOctets(message, "message");
  const outcome = wasm.normalize(message, optionsOf(options));
  try {
    const octets = outcome.octets() as OwnOctets | undefined;
    return {
      octets: octets ?? message,
      changed: octets !== undefined,
      refused: outcome.refused(),
      issues: outcome.has_issues() ? issuesOf(outcome.issues()) : [],
    };
  } finally {
    outcome.free();
  }
}

/** Octets of one message in, in any chunks; its normal form out, once the last chunk has arrived. */
export class NormalizeStream extends TransformStream<Uint8Array, OwnOctets> {
  /** The result for the message, whose `octets` went into the stream; an error if the stream fails or is aborted. */
  readonly result: Promise<Omit<Normalized, "octets">>;

  constructor(options: NormalizeOptions = {}) {
    optionsOf(options); // invalid options fail here, not when the message has arrived
    const chunks: OwnOctets[] = [];
    let length = 0;
    const { promise, resolve, reject } = later<Omit<Normalized, "octets">>();
    promise.catch(() => {}); // the stream itself says so, too
    const or = <T>(work: () => T): T => {
      try {
        return work();
      } catch (reason) {
        reject(reason);
        throw reason;
      }
    };
    const transformer: Transformer<Uint8Array, OwnOctets> & { cancel(reason: unknown): void } = {
      transform: (chunk) =>
        or(() => {
          needOctets(chunk, "chunk");
          length += chunk.length;
          needRoom(length, "chunks", "octets");
          chunks.push(chunk.slice());
        }),
      flush: (controller) =>
        or(() => {
          const { octets, ...result } = normalize(joined(chunks), options);
          if (octets.length > 0) controller.enqueue(octets);
          resolve(result);
        }),
      cancel: reject,
    };
    super(transformer);
    this.result = promise;
  }
}

function later<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: unknown) => void } {
  let [resolve, reject]: [(value: T) => void, (reason: unknown) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve: (value) => resolve(value), reject: (reason) => reject(reason) };
}

function joined(chunks: OwnOctets[]): OwnOctets {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
