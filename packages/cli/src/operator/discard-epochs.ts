import { AUXILIARY_SUBJECT, type EpochOfSession, type EpochWaiver } from "@conclave/cluster";
import { authorisedKeyDiscardSchema, keyChangeIdSchema } from "@conclave/custody";
import { processWorld } from "@conclave/platform/world";
import { signAuthorisation } from "./credentials.ts";
import { type HeardSigner, heldBySigners, type Operator } from "./operator.ts";

/** Every attempt that left inactive data of a new epoch at a signer. */
const pendingEpochsIn = async (heard: readonly HeardSigner[]): Promise<readonly EpochOfSession[]> => {
  const waiting = await heldBySigners(heard, "waiting");
  const ofKeys = [...waiting.values()].flatMap((keys) =>
    [...keys.values()].flatMap(({ keyId, next }) => next.map(({ session }) => ({ subject: keyId, session }))),
  );
  const ofAuxiliary = heard.flatMap(({ status }) =>
    status.pendingAuxiliary.map(({ session }) => ({ subject: AUXILIARY_SUBJECT, session })),
  );
  const pending = [...ofKeys, ...ofAuxiliary];
  return [
    ...new Map(pending.map((unwanted) => [`${unwanted.subject}/${unwanted.session}`, unwanted])).values(),
  ];
};

const authorised = ({ authority, roster }: Operator, { subject, session }: EpochOfSession) =>
  signAuthorisation(
    authority,
    authorisedKeyDiscardSchema.parse({
      version: 1,
      kind: "key-discard",
      requestId: processWorld.freshId(keyChangeIdSchema, "kch"),
      keyId: subject,
      session,
      cluster: roster.clusterId,
      dateRequested: new Date().toISOString(),
    }),
  );

/**
 * Collects waivers: signers that hold nothing of an attempt sign one. With t waivers, the signers that hold something
 * erase it.
 */
const discard = async (operator: Operator, heard: readonly HeardSigner[], unwanted: EpochOfSession) => {
  const authorisation = authorised(operator, unwanted);
  const waivers: EpochWaiver[] = [];
  const holders: HeardSigner[] = [];
  for (const signer of heard) {
    const answer = await signer.client.discardEpoch(authorisation, []);
    if (answer.ok && answer.value !== undefined) {
      waivers.push({ signer: signer.index, signature: answer.value });
    }
    if (!answer.ok) holders.push(signer);
  }
  const answers = await Promise.all(holders.map(({ client }) => client.discardEpoch(authorisation, waivers)));
  const left = holders.filter((_, at) => answers[at]?.ok !== true);
  const which = unwanted.subject === AUXILIARY_SUBJECT ? "auxiliary information" : unwanted.subject;
  const name = `${which}, session ${unwanted.session.slice(0, 8)}`;
  return left.length === 0
    ? `${name}: discarded, ${waivers.length} signers waived it`
    : `${name}: kept by ${left.map(({ id }) => id).join(", ")}; ${waivers.length} of ${operator.roster.threshold} waivers`;
};

/** Discards the inactive epochs of failed attempts, where t signers waive them. Resolves with a line for each attempt. */
export const discardPendingEpochs = async (
  operator: Operator,
  heard: readonly HeardSigner[],
): Promise<readonly string[]> => {
  const said: string[] = [];
  for (const unwanted of await pendingEpochsIn(heard)) said.push(await discard(operator, heard, unwanted));
  return said;
};
