import { randomBytes } from "node:crypto";
import type { SecretPath } from "./secret-paths.ts";
import type { Timings } from "./welch.ts";

const WARM_UP = 0.1;

/** A copy of the number in new memory, so that nothing the engine caches for an object distinguishes the classes. */
const anew = (secret: bigint): bigint => BigInt(`0x${secret.toString(16)}`);

const timed = (perform: () => unknown, calls: number): number => {
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call += 1) perform();
  return Number(process.hrtime.bigint() - start);
};

/** Times a path with one fixed secret and with newly drawn ones, in random order. */
export const timingsOf = ({ draw, prepare, calls, timings: each }: SecretPath, secret: bigint): Timings => {
  const timings = { fixed: [] as number[], drawn: [] as number[] };
  const warmUp = Math.ceil(WARM_UP * each);
  for (let at = -warmUp; timings.fixed.length < each || timings.drawn.length < each; at += 1) {
    const isFixed = ((randomBytes(1)[0] ?? 0) & 1) === 1;
    // both classes draw, so that they do the same before a timing
    const drawn = draw();
    const took = timed(prepare(anew(isFixed ? secret : drawn)), calls);
    if (at >= 0) timings[isFixed ? "fixed" : "drawn"].push(took);
  }
  return timings;
};
