import {
  type Act,
  type Effects,
  type FamilyContent,
  judgeTransaction,
  type Network,
  ok,
  type Result,
  type SignatureBody,
  type TransactionBody,
} from "@conclave/custody";
import { judgeGivenBytes } from "../chain-request/judge-given-bytes.ts";
import { effectsOfAct, effectsOfSignature } from "../policy/signing-activity.ts";
import { judgeBody } from "../signature/judge-body.ts";
import { networkOfTransaction } from "../signature/network-of-transaction.ts";
import type {
  ReadableChains,
  ReadableKey,
  ReadableSubject,
  ReadableWallet,
  ReadSignature,
} from "./readable.ts";

/** Reads bodies that callers choose, by pure functions whose time grows with the body. */
export interface BodyReader {
  /** @param networks of all wallets of the key. @returns the refusals of `judgeBody` */
  signature(
    subject: ReadableSubject,
    body: SignatureBody,
    networks: readonly Network[],
  ): Result<ReadSignature>;
  /** @returns the refusals of `networkOfTransaction` */
  networkOf(key: ReadableKey, body: SignatureBody): Result<Network | undefined>;
  /** @returns the refusals of `judgeTransaction` */
  transaction(wallet: ReadableWallet, body: TransactionBody): Result<FamilyContent>;
  /** Reads the effects of an act. @returns the refusals of `judgeGivenBytes` for a caller's own bytes */
  act(act: Act): Result<Effects>;
}

export const bodyReader = (chains: ReadableChains): BodyReader => ({
  signature: (subject, body, networks) => {
    const judged = judgeBody(chains, subject, body, networks);
    if (!judged.ok) return judged;
    const effects = effectsOfSignature(chains, subject, judged.value);
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
