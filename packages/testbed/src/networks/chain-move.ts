/** A change of a development chain's blocks or clock, by its operator. */
export type ChainMove =
  | { readonly kind: "mine"; readonly blocks: number }
  | { readonly kind: "advance"; readonly seconds: number }
  /** replaces the latest blocks by others */
  | { readonly kind: "reorganise"; readonly blocks: number };

/** The latest block of a chain. */
export interface ChainTip {
  readonly height: number;
  readonly time: Date;
}

const MS_IN_SECOND = 1_000;

/** @param seconds since 1970 */
export const chainTip = (height: number, seconds: number): ChainTip => ({
  height,
  time: new Date(seconds * MS_IN_SECOND),
});
