import type { PendingEpoch } from "@conclave/cluster";
import type { NextShare, NextShare__Output } from "./generated/proto.gen.ts";

/** A new epoch that waits for its certificate, without its key's id, which the message has beside it. */
export const toPending = ({ from, epoch, session, digest, receipt }: PendingEpoch): NextShare => ({
  fromEpoch: from,
  epoch,
  sessionId: Buffer.from(session, "hex"),
  digest: Buffer.from(digest),
  receipt: Buffer.from(receipt),
});

export const fromPending = ({
  fromEpoch,
  epoch,
  sessionId,
  digest,
  receipt,
}: NextShare__Output): PendingEpoch => ({
  from: fromEpoch,
  epoch,
  session: sessionId.toString("hex"),
  digest,
  receipt,
});
