import type { FamilyRegistry, NetworkEntry } from "@conclave/chains";
import type { ActiveKey, ChainWallet, Effects, JudgedSignature, SignatureSubject } from "@conclave/custody";

/** The chain families, and the served networks. */
export interface ReadableChains {
  readonly families: FamilyRegistry;
  readonly chains: ReadonlyMap<string, { readonly network: NetworkEntry }>;
}

/** The facts about a signing key that reading needs. */
export type ReadableSubject = SignatureSubject & { readonly publicKey: string };

export type ReadableKey = Pick<ActiveKey, "scheme" | "publicKey" | "internalKey">;

/** The facts about a paying wallet that reading needs. */
export type ReadableWallet = Pick<ChainWallet, "network" | "address"> & { readonly publicKey: string };

/** A read signature body: its content for the authority, its effects for policies. */
export interface ReadSignature {
  readonly judged: JudgedSignature;
  readonly effects: Effects;
}
