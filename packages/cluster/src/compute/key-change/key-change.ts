import {
  decode,
  type Entropy,
  encode,
  type GroupPoint,
  type KeyShare,
  keyDigest,
  keyShareCodec,
  mapOutput,
  openSession,
  type PartyIndex,
  type Progress,
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
import type { SessionKey } from "../../control/session-key.ts";
import { type Computed, type Host, keep } from "../host-state.ts";
import { outputOf, unfinished } from "../progress.ts";
import { configOf } from "../session-config.ts";
import { readShare } from "../stored-share.ts";
import type { ChangeOutput, RefreshTask, ReshareTask } from "./task.ts";

// New shares of a key of any scheme, without the type parameter of its points.

const changed = <P extends GroupPoint<P>>(scheme: Scheme<P>, share: KeyShare<P>): ChangeOutput => ({
  kind: "key-changed",
  share: new Secret(encode(keyShareCodec(scheme), share)),
  keyId: share.info.keyId,
  epoch: share.info.epoch,
  publicKey: publicKeyOf(share.info),
  chainCode: share.info.chainCode,
  digest: keyDigest(share.info),
});

export const openKeyChange = (
  host: Host,
  session: SessionKey,
  task: RefreshTask | ReshareTask,
  entropy: Entropy,
): Computed => {
  const config = configOf(host, session, task.parties);
  const start =
    task.kind === "open-refresh"
      ? startKeyRefresh(config.session, task)
      : startKeyReshare(config.session, config.self, task);
  return settleKeyChange(host, session, openSession(config, start, entropy));
};

/** @throws when the stored share does not decode or does not fit: a bug of ours */
const startKeyRefresh = (
  session: SessionId,
  { scheme: name, key, nextEpoch }: RefreshTask,
): Start<ChangeOutput> =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) => {
    const config = { session, key: readShare(scheme, key), nextEpoch };
    return mapOutput(startRefresh(config), (share) => changed(scheme, share));
  });

/** @throws when the stored share does not decode or the state machine let an unfit reshare through: a bug of ours */
const startKeyReshare = (
  session: SessionId,
  self: PartyIndex,
  { scheme: name, info: bytes, key, dealers, receivers, threshold, nextEpoch }: ReshareTask,
): Start<ChangeOutput> =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) => {
    const info = decode(publicKeyInfoCodec(scheme), bytes);
    if (!info.ok) throw new Error(`the public info was not checked: ${info.reason}`);
    const secretShare = key === undefined ? {} : { secretShare: readShare(scheme, key).secretShare };
    const config = {
      session,
      self,
      info: info.value,
      dealers,
      receivers,
      threshold,
      nextEpoch,
      ...secretShare,
    };
    return mapOutput(startReshare(config), (output) => {
      if (output.kind === "holder") return changed(scheme, output.share);
      const { keyId, epoch } = output.info;
      return { kind: "dealer-released", keyId, epoch, digest: keyDigest(output.info) };
    });
  });

export const settleKeyChange = (
  host: Host,
  session: SessionKey,
  progress: Progress<ChangeOutput>,
): Computed => {
  const next = keep(host, session, { kind: "key-change", session: progress.session });
  const open = unfinished("key-change", progress);
  if (open !== undefined) return { host: next, result: open };
  return { host: next, result: { ...outputOf(progress), send: progress.send } };
};
