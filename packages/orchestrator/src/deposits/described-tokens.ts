import type { ChainNode } from "@conclave/chains";
import type { Asset, World } from "@conclave/custody";

/** Tokens that are queried at the same time; deposits of further ones are detected without a description. */
const ASKED_AT_ONCE = 10;
/** How long the description of a token is kept. */
const REMEMBERED_MS = 3_600_000;
/**
 * Wait before a token without an answer is queried again: its contract may be of a kind that never answers, or the node
 * was away.
 */
const SILENT_MS = 60_000;
const REMEMBERED_MAX = 1_000;

/**
 * Blocks wait for descriptions at most a tenth of the time, and at most 5 s in a row: otherwise anybody could hold
 * reading up with slow tokens, a new one in each block.
 */
const WAITED_OF = 10;
const WAITED_MS_MOST = 5_000;

/** Returns descriptions of a block's tokens; without those that do not answer, or not in time. */
export type DescribeTokens = (
  node: Pick<ChainNode, "describeToken">,
  tokens: ReadonlySet<string>,
) => Promise<ReadonlyMap<string, Asset>>;

/** A budget of waiting time that fills up as time passes. */
class WaitingBudget {
  #spareMs = WAITED_MS_MOST;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** Milliseconds that may be spent on waiting now. */
  at(nowMs: number): number {
    this.#spareMs = Math.min(WAITED_MS_MOST, this.#spareMs + (nowMs - this.#atMs) / WAITED_OF);
    this.#atMs = nowMs;
    return this.#spareMs;
  }

  /** Takes the time since the last look off the budget. */
  spend(nowMs: number): void {
    this.#spareMs = Math.max(0, this.#spareMs - (nowMs - this.#atMs));
    this.#atMs = nowMs;
  }
}

/**
 * Makes a function that describes the tokens of a network's blocks. It queries unknown tokens, some at a time; if one
 * does not answer while a block waits, the query continues for later blocks.
 */
export const tokenDescriber = ({
  monotonicMs,
  sleep,
}: Pick<World, "monotonicMs" | "sleep">): DescribeTokens => {
  const known = new Map<string, { readonly asset: Asset; readonly untilMs: number }>();
  const asked = new Map<string, Promise<void>>();
  const budget = new WaitingBudget(monotonicMs());
  const ask = async (node: Pick<ChainNode, "describeToken">, token: string): Promise<void> => {
    try {
      const said = await node.describeToken(token);
      const [asset, forMs] = said.ok ? [said.value, REMEMBERED_MS] : [{}, SILENT_MS];
      known.delete(token);
      known.set(token, { asset, untilMs: monotonicMs() + forMs });
    } finally {
      asked.delete(token);
    }
  };
  const begin = (node: Pick<ChainNode, "describeToken">, token: string): void => {
    const answer = ask(node, token);
    // a waiter handles the failure; there may be none
    answer.catch(() => undefined);
    asked.set(token, answer);
  };
  const wait = async (answers: readonly Promise<void>[]): Promise<void> => {
    const spareMs = budget.at(monotonicMs());
    if (answers.length === 0 || spareMs <= 0) return;
    const ended = new AbortController();
    await Promise.race([Promise.all(answers), sleep(spareMs, ended.signal)]);
    ended.abort();
    budget.spend(monotonicMs());
  };
  return async (node, tokens) => {
    const nowMs = monotonicMs();
    const unknown = [...tokens].filter((token) => (known.get(token)?.untilMs ?? 0) <= nowMs);
    for (const token of unknown) {
      if (asked.size < ASKED_AT_ONCE && !asked.has(token)) begin(node, token);
    }
    await wait(unknown.flatMap((token) => asked.get(token) ?? []));
    const described = new Map([...tokens].map((token) => [token, known.get(token)?.asset ?? {}] as const));
    for (const token of known.keys()) {
      if (known.size <= REMEMBERED_MAX) break;
      known.delete(token);
    }
    return described;
  };
};
