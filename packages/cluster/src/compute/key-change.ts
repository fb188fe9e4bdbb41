import {
  decode,
  encode,
  type GroupPoint,
  type KeyShare,
  keyDigest,
  keyShareCodec,
  mapOutput,
  type PartyIndex,
  publicKeyInfoCodec,
  publicKeyOf,
  type Scheme,
  Secret,
  type SessionId,
  type Start,
  startRefresh,
  startReshare,
  withScheme,
} from "@conclave/threshold";
import type { ComputeResult, ComputeTask } from "./task.ts";

// New shares of a key of any scheme, without the type of its points.

type TaskOf<Kind extends ComputeTask["kind"]> = Extract<ComputeTask, { readonly kind: Kind }>;

/** A share of a key's next epoch, as it goes to the store. */
export type ChangedKey = Omit<Extract<ComputeResult, { readonly kind: "key-changed" }>, "kind" | "send">;

const changed = <P extends GroupPoint<P>>(scheme: Scheme<P>, share: KeyShare<P>): ChangedKey => ({
  share: new Secret(encode(keyShareCodec(scheme), share)),
  keyId: share.info.keyId,
  epoch: share.info.epoch,
  publicKey: publicKeyOf(share.info),
  chainCode: share.info.chainCode,
  digest: keyDigest(share.info),
});

/** @throws when a stored share does not decode: a bug of ours */
export const readShare = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  bytes: Secret<Uint8Array>,
): KeyShare<P> => {
  const decoded = decode(keyShareCodec(scheme), bytes.reveal());
  if (!decoded.ok) throw new Error(`a stored share does not decode: ${decoded.reason}`);
  return decoded.value;
};

/** @throws when the stored share does not decode or does not fit: a bug of ours */
export const startKeyRefresh = (
  session: SessionId,
  { scheme: name, key }: TaskOf<"open-refresh">,
): Start<ChangedKey> =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) =>
    mapOutput(startRefresh({ session, key: readShare(scheme, key) }), (share) => changed(scheme, share)),
  );

/** @throws when the stored share does not decode or the brain let something unfit through: a bug of ours */
export const startKeyReshare = (
  session: SessionId,
  self: PartyIndex,
  { scheme: name, info: bytes, key, dealers, parties, threshold }: TaskOf<"open-reshare">,
): Start<ChangedKey> =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) => {
    const info = decode(publicKeyInfoCodec(scheme), bytes);
    if (!info.ok) throw new Error(`the public info was not checked: ${info.reason}`);
    const secretShare = key === undefined ? {} : { secretShare: readShare(scheme, key).secretShare };
    const config = {
      session,
      self,
      info: info.value,
      dealers,
      receivers: parties,
      threshold,
      ...secretShare,
    };
    return mapOutput(startReshare(config), (output) => {
      if (output.kind === "released") throw new Error("everybody of the roster receives a share");
      return changed(scheme, output.share);
    });
  });
