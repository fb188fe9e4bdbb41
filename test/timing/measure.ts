import { randomBytes } from "node:crypto";
import type { SecretPath } from "./secret-paths.ts";
import type { Timings } from "./welch.ts";

const WARM_UP = 0.1;

/** The same number in memory of its own: nothing that an engine keeps of one object tells the classes apart. */
const anew = (secret: bigint): bigint => BigInt(`0x${secret.toString(16)}`);

const timed = (perform: () => unknown, calls: number): number => {
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call += 1) perform();
  return Number(process.hrtime.bigint() - start);
};

/** Times a path with one secret and with drawn ones, in an order that chance decides. */
export const timingsOf = ({ draw, prepare, calls, timings: each }: SecretPath, secret: bigint): Timings => {
  const timings = { fixed: [] as number[], drawn: [] as number[] };
  const warmUp = Math.ceil(WARM_UP * each);
  for (let at = -warmUp; timings.fixed.length < each || timings.drawn.length < each; at += 1) {
    const isFixed = ((randomBytes(1)[0] ?? 0) & 1) === 1;
    // both classes draw, so that what comes before a timing is alike
    const drawn = draw();
    const took = timed(prepare(anew(isFixed ? secret : drawn)), calls);
    if (at >= 0) timings[isFixed ? "fixed" : "drawn"].push(took);
  }
  return timings;
};
