import type { SchemeSignature } from "@conclave/custody";
import type { ComputeResult } from "../../compute/task.ts";
import type { SignerEffect } from "../effect.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  withSession,
  withSigningCall,
} from "../state.ts";
import type { SigningCall, SigningPart } from "./signing-call.ts";
import { releasePresigned } from "./spend-and-release.ts";

type ResultOf<Kind extends ComputeResult["kind"]> = Extract<ComputeResult, { readonly kind: Kind }>;

const signingCallOf = ({ signingCalls }: SignerState, { call }: OpenSession): SigningCall => {
  const signing = signingCalls.get(call);
  if (signing === undefined) throw new Error("a session that signs is one of a signing call");
  return signing;
};

const withPart = (
  signing: SigningCall,
  { purpose }: OpenSession,
  change: Partial<SigningPart>,
): SigningCall => {
  if (purpose.protocol !== "signing") throw new Error("only a session that signs is one of a signing call");
  const part = signing.parts[purpose.at];
  if (part === undefined) throw new Error("a session signs one thing of its signing call");
  return { ...signing, parts: signing.parts.with(purpose.at, { ...part, ...change }) };
};

/**
 * A session's own presignature is made. Once all presignatures of the signing call are, they are spent, and the online
 * rounds begin together.
 */
export const takePresigned = (
  before: SignerState,
  session: OpenSession,
  send: readonly SignerEffect[],
  nowMs: number,
): SignerStep => {
  const signing = withPart(signingCallOf(before, session), session, { isReady: true });
  if (signing.isReleased) throw new Error("a presignature is made once (INV-2)");
  const waiting = withSession(before, { ...session, stage: "presigned", awaiting: [] });
  const state = withSigningCall(waiting, signing);
  return andThen({ state, effects: send }, (sent) =>
    signing.parts.every(({ isReady }) => isReady)
      ? releasePresigned(sent, signing, nowMs)
      : { state: sent, effects: [] },
  );
};

const signatureOf = (
  result: ResultOf<"signature" | "frost-signature">,
  { signable }: Pick<SigningPart, "signable">,
): SchemeSignature => {
  if (result.kind === "signature") return { scheme: "CGGMP24", ...result.signature };
  const { scheme } = signable;
  if (scheme === "CGGMP24") throw new Error("FROST signs no ECDSA signable");
  return { scheme, bytes: result.signature };
};

/** One signable is signed. Once all are, the caller gets all signatures at once, in order; never some of them. */
export const takeSignature = (
  before: SignerState,
  session: OpenSession,
  result: ResultOf<"signature" | "frost-signature">,
  send: readonly SignerEffect[],
): SignerStep => {
  const open = signingCallOf(before, session);
  const { purpose } = session;
  const part = purpose.protocol === "signing" ? open.parts[purpose.at] : undefined;
  if (!open.isReleased || part === undefined) throw new Error("no signature without a release (INV-2)");
  const signing = withPart(open, session, { signature: signatureOf(result, part) });
  const signatures = signing.parts.flatMap(({ signature }) => (signature === undefined ? [] : [signature]));
  return andThen({ state: withSigningCall(before, signing), effects: send }, (sent) =>
    signatures.length < signing.parts.length
      ? { state: withSession(sent, { ...session, awaiting: [] }), effects: [] }
      : endWith(sent, session, { kind: "signed", signatures }),
  );
};
