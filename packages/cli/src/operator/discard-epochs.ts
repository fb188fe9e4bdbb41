import { AUXILIARY_SUBJECT, type EpochAttempt, type EpochWaiver } from "@conclave/cluster";
import { authorisedKeyDiscardSchema, keyChangeIdSchema } from "@conclave/custody";
import { processWorld } from "@conclave/platform/world";
import { signAuthorisation } from "./credentials.ts";
import { type HeardSigner, heldBySigners, type Operator } from "./operator.ts";

/** Every attempt of which a signer holds something that is not active. */
const attemptsIn = async (heard: readonly HeardSigner[]): Promise<readonly EpochAttempt[]> => {
  const waiting = await heldBySigners(heard, "waiting");
  const ofKeys = [...waiting.values()].flatMap((keys) =>
    [...keys.values()].flatMap(({ keyId, next }) => next.map(({ session }) => ({ subject: keyId, session }))),
  );
  const ofAuxiliary = heard.flatMap(({ status }) =>
    status.pendingAuxiliary.map(({ session }) => ({ subject: AUXILIARY_SUBJECT, session })),
  );
  const attempts = [...ofKeys, ...ofAuxiliary];
  return [...new Map(attempts.map((attempt) => [`${attempt.subject}/${attempt.session}`, attempt])).values()];
};

const authorised = ({ authority, roster }: Operator, { subject, session }: EpochAttempt) =>
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

/** Signers that hold nothing of an attempt say so; with t such statements those that hold it erase it. */
const discard = async (operator: Operator, heard: readonly HeardSigner[], attempt: EpochAttempt) => {
  const authorisation = authorised(operator, attempt);
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
  const which = attempt.subject === AUXILIARY_SUBJECT ? "auxiliary information" : attempt.subject;
  const name = `${which}, session ${attempt.session.slice(0, 8)}`;
  return left.length === 0
    ? `${name}: discarded, ${waivers.length} signers waived it`
    : `${name}: kept by ${left.map(({ id }) => id).join(", ")}; ${waivers.length} of ${operator.roster.threshold} waivers`;
};

/** Discards what failed attempts left, as far as t signers waive it. Resolves with a line for each attempt. */
export const discardAttempts = async (
  operator: Operator,
  heard: readonly HeardSigner[],
): Promise<readonly string[]> => {
  const said: string[] = [];
  for (const attempt of await attemptsIn(heard)) said.push(await discard(operator, heard, attempt));
  return said;
};
