import type { ChainNode } from "@conclave/chains";
import type { Asset, World } from "@conclave/custody";

/** Tokens that are asked at a time; deposits of further ones are detected without a description. */
const ASKED_AT_ONCE = 10;
/** For so long a token counts as it was described. */
const REMEMBERED_MS = 3_600_000;
/** For so long a token is not asked again that did not answer: its contract may be of a kind that never does, or the node was away. */
const SILENT_MS = 60_000;
const REMEMBERED_MAX = 1_000;

/** Blocks wait for tokens for one of so many milliseconds, and for so long in a row: else anybody's slow tokens, a new one in each block, hold reading up. */
const WAITED_OF = 10;
const WAITED_MS_MOST = 5_000;

/** Gives tokens of a block by what they say of themselves; empty where a token does not tell, or not in time. */
export type DescribeTokens = (
  node: Pick<ChainNode, "describeToken">,
  tokens: ReadonlySet<string>,
) => Promise<ReadonlyMap<string, Asset>>;

/** How long may be waited, of a budget that fills up as time passes. */
class WaitingBudget {
  #spareMs = WAITED_MS_MOST;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** Milliseconds that may be waited now. */
  at(nowMs: number): number {
    this.#spareMs = Math.min(WAITED_MS_MOST, this.#spareMs + (nowMs - this.#atMs) / WAITED_OF);
    this.#atMs = nowMs;
    return this.#spareMs;
  }

  /** Takes off the time since the last look. */
  spend(nowMs: number): void {
    this.#spareMs = Math.max(0, this.#spareMs - (nowMs - this.#atMs));
    this.#atMs = nowMs;
  }
}

/**
 * Makes a function that describes the tokens of a network's blocks. Those that are not known are asked, some at once; one that does not answer while a
 * block waits is asked on, for the blocks after it.
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
    // those who wait for it hear of its failure; nobody may
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
