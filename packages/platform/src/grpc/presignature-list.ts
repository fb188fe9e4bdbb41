import type { ListedPresignature } from "@conclave/cluster";
import { partyIndex } from "@conclave/threshold";
import type { ListReply, ListReply__Output } from "./generated/proto.gen.ts";

const PRESIGNATURE_ID = /^[0-9a-f]{64}$/;

/** A signer's ready presignatures, as it answers with them. They contain no secret. */
export const toListReply = (listed: readonly ListedPresignature[]): ListReply => ({
  presignatures: listed.map(({ id, keyId, signers, createdAtMs, expiresAtMs, isUsable }) => ({
    id,
    keyId,
    signers: [...signers],
    createdAtMs,
    expiresAtMs,
    usable: isUsable,
  })),
});

/** A received list; undefined if an entry is malformed. */
export const fromListReply = ({
  presignatures,
}: ListReply__Output): readonly ListedPresignature[] | undefined => {
  const listed: ListedPresignature[] = [];
  for (const { id, keyId, signers, createdAtMs, expiresAtMs, usable } of presignatures) {
    const members = signers.map(partyIndex).filter((index) => index !== undefined);
    if (!PRESIGNATURE_ID.test(id) || members.length !== signers.length) return undefined;
    listed.push({ id, keyId, signers: members, createdAtMs, expiresAtMs, isUsable: usable });
  }
  return listed;
};
