import type { ChainNode } from "@conclave/chains";
import type { Asset, World } from "@conclave/custody";

/** Tokens that are asked in one block; deposits of further ones are told without. */
const ASKED_A_BLOCK = 10;
/** For so long a token counts as it was described. */
const REMEMBERED_MS = 3_600_000;
/** For so long a token is not asked again that did not answer: its contract may be of a kind that never does, or the node was away. */
const SILENT_MS = 60_000;
const REMEMBERED_MAX = 1_000;

/** Gives tokens of a block by what they say of themselves; empty where a token does not tell. */
export type DescribeTokens = (
  node: Pick<ChainNode, "describeToken">,
  tokens: ReadonlySet<string>,
) => Promise<ReadonlyMap<string, Asset>>;

/**
 * Makes a function that describes the tokens of a network's blocks. The first of those that are not known are asked, all at once: contracts that take
 * their time hold up a block no longer than one of them does, and that once a minute.
 */
export const tokenDescriber = ({ monotonicMs }: Pick<World, "monotonicMs">): DescribeTokens => {
  const known = new Map<string, { readonly asset: Asset; readonly untilMs: number }>();
  return async (node, tokens) => {
    const nowMs = monotonicMs();
    const asked = [...tokens].filter((token) => (known.get(token)?.untilMs ?? 0) <= nowMs);
    await Promise.all(
      asked.slice(0, ASKED_A_BLOCK).map(async (token) => {
        const said = await node.describeToken(token);
        known.delete(token);
        known.set(
          token,
          said.ok
            ? { asset: said.value, untilMs: nowMs + REMEMBERED_MS }
            : { asset: {}, untilMs: nowMs + SILENT_MS },
        );
      }),
    );
    const described = new Map([...tokens].map((token) => [token, known.get(token)?.asset ?? {}] as const));
    for (const token of known.keys()) {
      if (known.size <= REMEMBERED_MAX) break;
      known.delete(token);
    }
    return described;
  };
};
