import type { FamilyRegistry, NetworkEntry } from "@conclave/chains";
import type { ActiveKey, ChainWallet, Effects, JudgedSignature, SignatureSubject } from "@conclave/custody";

/** The chain families, and the networks that are served. */
export interface ReadableChains {
  readonly families: FamilyRegistry;
  readonly chains: ReadonlyMap<string, { readonly network: NetworkEntry }>;
}

/** A key that is asked to sign, as far as reading needs it. */
export type ReadableSubject = SignatureSubject & { readonly publicKey: string };

export type ReadableKey = Pick<ActiveKey, "scheme" | "publicKey" | "internalKey">;

/** A wallet that is asked to pay, as far as reading needs it. */
export type ReadableWallet = Pick<ChainWallet, "network" | "address"> & { readonly publicKey: string };

/** A signature's body: its content for the authority, its effects for policies. */
export interface ReadSignature {
  readonly judged: JudgedSignature;
  readonly effects: Effects;
}
