import type { GroupPoint } from "../curve.ts";
import type { PublicKeyInfo } from "../keygen/key-share.ts";
import { hashFields } from "../transcript.ts";
import { keyDigest } from "./key-digest.ts";
import type { RedistributionRun } from "./run.ts";

/** H(sid, dealers, digest of the old key info, digest of the new): equal for all parties that computed the same new epoch. */
export const epochConfirmation = <P extends GroupPoint<P>>(
  { protocol, session, old, weights }: RedistributionRun<P>,
  info: PublicKeyInfo<P>,
): Uint8Array =>
  hashFields(`${protocol} confirmation`, [session, [...weights.keys()], keyDigest(old), keyDigest(info)]);
