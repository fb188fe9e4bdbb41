import type { SchemeSignature } from "@conclave/custody";
import type { ComputeResult } from "../../compute/task.ts";
import type { SignerEffect } from "../effect.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  withFamily,
  withSession,
} from "../state.ts";
import type { SigningFamily, SigningPart } from "./family.ts";
import { releasePresigned } from "./release.ts";

type ResultOf<Kind extends ComputeResult["kind"]> = Extract<ComputeResult, { readonly kind: Kind }>;

const familyOf = ({ families }: SignerState, { call }: OpenSession): SigningFamily => {
  const family = families.get(call);
  if (family === undefined) throw new Error("a session that signs is one of a family");
  return family;
};

const withPart = (
  family: SigningFamily,
  { purpose }: OpenSession,
  change: Partial<SigningPart>,
): SigningFamily => {
  if (purpose.protocol !== "signing") throw new Error("only a session that signs is one of a family");
  const part = family.parts[purpose.at];
  if (part === undefined) throw new Error("a session signs one thing of its family");
  return { ...family, parts: family.parts.with(purpose.at, { ...part, ...change }) };
};

/** A session's own presignature is there. When all of the family are, they are spent; online rounds begin together. */
export const takePresigned = (
  before: SignerState,
  session: OpenSession,
  send: readonly SignerEffect[],
  nowMs: number,
): SignerStep => {
  const family = withPart(familyOf(before, session), session, { isReady: true });
  if (family.isReleased) throw new Error("a presignature is made once (INV-2)");
  const waiting = withSession(before, { ...session, stage: "presigned", awaiting: [] });
  const state = withFamily(waiting, family);
  return andThen({ state, effects: send }, (sent) =>
    family.parts.every(({ isReady }) => isReady)
      ? releasePresigned(sent, family, nowMs)
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

/** One thing is signed. When all are, the caller hears all signatures at once, in order; never some of them. */
export const takeSignature = (
  before: SignerState,
  session: OpenSession,
  result: ResultOf<"signature" | "frost-signature">,
  send: readonly SignerEffect[],
): SignerStep => {
  const open = familyOf(before, session);
  const { purpose } = session;
  const part = purpose.protocol === "signing" ? open.parts[purpose.at] : undefined;
  if (!open.isReleased || part === undefined) throw new Error("no signature without a release (INV-2)");
  const family = withPart(open, session, { signature: signatureOf(result, part) });
  const signatures = family.parts.flatMap(({ signature }) => (signature === undefined ? [] : [signature]));
  return andThen({ state: withFamily(before, family), effects: send }, (sent) =>
    signatures.length < family.parts.length
      ? { state: withSession(sent, { ...session, awaiting: [] }), effects: [] }
      : endWith(sent, session, { kind: "signed", signatures }),
  );
};
