import { equalBytes } from "@noble/curves/utils.js";
import { decode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { type PublicKeyInfo, publicKeyInfoCodec } from "../keygen/key-share.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import type { Scheme } from "../scheme.ts";
import { agreedKey } from "./agreed-values.ts";
import { notShown, type SignedRecord } from "./signed-record.ts";

/** The public part of the session's key, checked against the digest that the session id binds. */
export const keyOf = <P extends GroupPoint<P>>(
  { attempt, material }: SignedRecord,
  scheme: Scheme<P>,
): PublicKeyInfo<P> => {
  const decoded = decode(publicKeyInfoCodec(scheme), material.key);
  if (!decoded.ok) return notShown("the public part of the key is missing or malformed");
  const isAgreed = equalBytes(keyDigest(decoded.value), agreedKey(attempt));
  return isAgreed ? decoded.value : notShown("the public part of the key is not that of the session");
};
