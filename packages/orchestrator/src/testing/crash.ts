import type { Database } from "@conclave/platform";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import type { RequestHandler } from "../chain-requests/work.ts";

/** Ends a run as a kill would: nothing runs after it. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Counts two moments for every external call, before and after it; the process dies at the n-th. */
class Countdown {
  #left: number;

  constructor(moments: number) {
    this.#left = moments;
  }

  async around<T>(touch: () => Promise<T>): Promise<T> {
    this.#moment();
    const value = await touch();
    this.#moment();
    return value;
  }

  #moment(): void {
    if (this.#left === 0) throw new Crash("the process dies here");
    this.#left -= 1;
  }
}

/** The handler of a process that dies at the n-th moment; 0 is before the first external call. */
export const dyingAt = (moments: number, handler: RequestHandler): RequestHandler => {
  const countdown = new Countdown(moments);
  const { database, quorum } = handler;
  const dying: Database = {
    ...database,
    rows: (schema, text, values) => countdown.around(() => database.rows(schema, text, values)),
    commit: (schema, text, values) => countdown.around(() => database.commit(schema, text, values)),
    transaction: (work) => countdown.around(() => database.transaction(work)),
  };
  const mortal = ({ family, node }: ServedChain): ServedChain => ({
    family,
    node: {
      ...node,
      build: (intent) => countdown.around(() => node.build(intent)),
      broadcast: (signed) => countdown.around(() => node.broadcast(signed)),
    },
  });
  return {
    ...handler,
    database: dying,
    chains: new Map([...handler.chains].map(([name, chain]) => [name, mortal(chain)])),
    quorum: {
      shortage: () => quorum.shortage(),
      isBegun: () => false,
      askSigned: (asked) => quorum.askSigned(asked),
      sign: (request, waiting) => countdown.around(() => quorum.sign(request, waiting)),
    },
  };
};
