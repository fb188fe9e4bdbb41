import type { NetworkFamily } from "@conclave/custody";
import type { TokenFactory } from "./token-factory.ts";

/** A kind of transfer whose tokens a development network can make. */
export interface TokenKindRow {
  readonly kind: string;
  readonly family: NetworkFamily;
  /** bounds of the decimal places, and those of a token for which none are given; undefined for collectibles */
  readonly decimals: { readonly least: number; readonly most: number; readonly usual: number } | undefined;
  /** the largest supply in smallest units, as a power of two */
  readonly supplyBits: number;
  /** letters and digits of a symbol at the most */
  readonly symbolLength: number;
  /** loads the chain's SDK */
  readonly load: () => Promise<TokenFactory>;
}

const UP_TO_18 = { least: 0, most: 18, usual: 6 } as const;
const CONTRACT = { supplyBits: 128, symbolLength: 12 } as const;

/** The kinds of token transfers, each with the maker of its tokens. */
export const TOKEN_KINDS: readonly TokenKindRow[] = [
  {
    kind: "Erc20",
    family: "Evm",
    decimals: UP_TO_18,
    ...CONTRACT,
    load: async () => (await import("./evm-tokens.ts")).ERC20_FACTORY,
  },
  {
    kind: "Erc721",
    family: "Evm",
    decimals: undefined,
    ...CONTRACT,
    load: async () => (await import("./evm-tokens.ts")).ERC721_FACTORY,
  },
  {
    kind: "Asa",
    family: "Algorand",
    decimals: UP_TO_18,
    supplyBits: 64,
    symbolLength: 8,
    load: async () => (await import("./algorand-assets.ts")).ASA_FACTORY,
  },
  {
    kind: "Spl",
    family: "Solana",
    decimals: UP_TO_18,
    supplyBits: 64,
    symbolLength: 12,
    load: async () => (await import("./solana-mints.ts")).SPL_FACTORY,
  },
  {
    kind: "Spl2022",
    family: "Solana",
    decimals: UP_TO_18,
    supplyBits: 64,
    symbolLength: 12,
    load: async () => (await import("./solana-mints.ts")).SPL_2022_FACTORY,
  },
  {
    kind: "Sep41",
    family: "Stellar",
    decimals: { least: 7, most: 7, usual: 7 },
    supplyBits: 63,
    symbolLength: 12,
    load: async () => (await import("./stellar-assets.ts")).SEP41_FACTORY,
  },
  {
    kind: "Trc10",
    family: "Tron",
    decimals: { least: 0, most: 6, usual: 6 },
    supplyBits: 53,
    symbolLength: 12,
    load: async () => (await import("./tron-tokens.ts")).TRC10_FACTORY,
  },
  {
    kind: "Trc20",
    family: "Tron",
    decimals: UP_TO_18,
    ...CONTRACT,
    load: async () => (await import("./tron-tokens.ts")).TRC20_FACTORY,
  },
  {
    kind: "Trc721",
    family: "Tron",
    decimals: undefined,
    ...CONTRACT,
    load: async () => (await import("./tron-tokens.ts")).TRC721_FACTORY,
  },
];
