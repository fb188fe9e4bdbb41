import type { FamilyRegistry, NetworkEntry } from "@conclave/chains";
import {
  type Act,
  type ActiveKey,
  type ChainWallet,
  type Effects,
  type FamilyContent,
  type JudgedSignature,
  judgeTransaction,
  type Network,
  ok,
  type Result,
  type SignatureBody,
  type SignatureSubject,
  type TransactionBody,
} from "@conclave/custody";
import { judgeGivenBytes } from "../chain-request/judge-given-bytes.ts";
import { effectsOfAct, effectsOfSignature } from "../policy/signing-activity.ts";
import { judgeBody } from "../signature/judge-body.ts";
import { networkOfTransaction } from "../signature/network-of-transaction.ts";

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

/** Reads bodies that callers choose: pure functions, whose time grows with the body. */
export interface BodyReader {
  /** @param networks of all wallets of the key. @returns what `judgeBody` refuses */
  signature(
    subject: ReadableSubject,
    body: SignatureBody,
    networks: readonly Network[],
  ): Result<ReadSignature>;
  /** @returns what `networkOfTransaction` refuses */
  networkOf(key: ReadableKey, body: SignatureBody): Result<Network | undefined>;
  /** @returns what `judgeTransaction` refuses */
  transaction(wallet: ReadableWallet, body: TransactionBody): Result<FamilyContent>;
  /** The effects of an act. @returns what `judgeGivenBytes` refuses of bytes that the caller made */
  act(act: Act): Result<Effects>;
}

export const bodyReader = (chains: ReadableChains): BodyReader => ({
  signature: (subject, body, networks) => {
    const judged = judgeBody(chains, subject, body, networks);
    if (!judged.ok) return judged;
    const effects = effectsOfSignature(chains, subject.network, judged.value);
    return ok({ judged: judged.value, effects });
  },
  networkOf: (key, body) => networkOfTransaction(chains, key, body),
  transaction: ({ network, address, publicKey }, body) =>
    judgeTransaction(chains.families, network, body, address, publicKey),
  act: (act) => {
    const readable = judgeGivenBytes(chains, act);
    return readable.ok ? ok(effectsOfAct(chains, act)) : readable;
  },
});
