import { unitsOf } from "../amount.ts";
import { LaunchError } from "../launch-error.ts";
import type { LocalNetwork } from "../networks/local-network.ts";
import type { TokenTerms } from "./token-factory.ts";
import { TOKEN_KINDS, type TokenKindRow } from "./token-kinds.ts";

/** A token as a person orders it. */
export interface TokenOrder {
  readonly network: string;
  /** a kind of transfer, such as Erc20 */
  readonly kind: string;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** in whole tokens, as a decimal */
  readonly supply: string | undefined;
}

const USUAL_SUPPLY = "1000000000";

/** The kinds of tokens that a network has, by their names. */
const kindsOf = ({ family }: LocalNetwork): readonly TokenKindRow[] =>
  TOKEN_KINDS.filter((row) => row.family === family);

/** The row of a kind on a network. @throws LaunchError that lists the network's kinds */
export const tokenKindOn = (local: LocalNetwork, kind: string): TokenKindRow => {
  const row = kindsOf(local).find((one) => one.kind === kind);
  if (row !== undefined) return row;
  const kinds = kindsOf(local).map((one) => one.kind);
  throw new LaunchError(
    `${local.network} has no tokens of kind ${kind}`,
    kinds.length === 0
      ? `It has no tokens at all; kinds of other networks are ${TOKEN_KINDS.map((one) => one.kind).join(", ")}.`
      : `Its kinds are ${kinds.join(", ")}.`,
  );
};

/** The terms of an ordered token. @throws LaunchError when its chain knows no such token */
export const termsOf = (row: TokenKindRow, { symbol, decimals, supply }: TokenOrder): TokenTerms => {
  const called = symbol ?? (row.decimals === undefined ? "DEVC" : "DEV");
  if (!/^[A-Za-z0-9]+$/.test(called) || called.length > row.symbolLength) {
    throw new LaunchError(
      `${called} is no symbol of ${row.kind}`,
      `Give one to ${row.symbolLength} letters and digits.`,
    );
  }
  const names = { name: `Development ${called}`, symbol: called };
  if (row.decimals === undefined) {
    if (decimals === undefined && supply === undefined) return { ...names, decimals: 0, supply: 0n };
    throw new LaunchError(
      `${row.kind} has neither decimals nor a supply`,
      "Leave them out: each payment makes collectibles.",
    );
  }
  const { least, most, usual } = row.decimals;
  const places = decimals ?? usual;
  if (places < least || places > most) {
    throw new LaunchError(
      `${row.kind} has no ${places} decimal places`,
      least === most ? `It always has ${most}.` : `Give ${least} to ${most}.`,
    );
  }
  const units = unitsOf(supply ?? USUAL_SUPPLY, places);
  if (units < 2n ** BigInt(row.supplyBits)) return { ...names, decimals: places, supply: units };
  throw new LaunchError(
    `a supply of ${supply ?? USUAL_SUPPLY} with ${places} decimal places is more than ${row.kind} can count`,
    "Give a smaller --supply, or fewer --decimals.",
  );
};
