import { ORDER, type PartyIndex, type Point, type Presignature } from "@conclave/threshold";
import { crateCommitment, cratePoint, cratePresignature, crateScalar, numberOfHex } from "./crate-form.ts";
import type { CrateTask } from "./crate-program.ts";
import { firstOf, type Holders, type OurSignature, presignByUs, QUORUMS, signByUs } from "./holders.ts";
import { hexOfPartials, isSamePartials, isSameSignature, verifies } from "./signatures.ts";
import { type Message, messageOf, type Trial, unexpected } from "./trial.ts";

type IssueTask = Extract<CrateTask, { readonly do: "issue" }>;

/** The task to sign with our presignatures, whose secrets must not have been consumed. */
const issueTask = (
  presignatures: ReadonlyMap<PartyIndex, Presignature>,
  publicKey: Point,
  message: Message,
): IssueTask => {
  const all = [...presignatures.values()];
  return {
    do: "issue",
    presignatures: all.map(({ Gamma, secret }) => cratePresignature(Gamma, secret.reveal())),
    commitments: [...firstOf(all).publics.values()].map(crateCommitment),
    message: message.hex,
    publicKey: cratePoint(publicKey),
  };
};

const same = (task: IssueTask, ours: OurSignature, publicKey: Point, digest: Uint8Array): Trial => ({
  name: "gives the partial signatures and the signature that we give, of our presignatures",
  task,
  flawOf: (answer) => {
    if (answer.kind !== "issued") return unexpected(answer);
    if (!isSamePartials(ours.partials, hexOfPartials(answer.partials))) return "partial signatures differ";
    if (answer.signature === null) return "its partial signatures do not combine";
    if (!isSameSignature(ours.signature, answer.signature)) return "signatures differ";
    return verifies(publicKey, digest, answer.signature) ? undefined : "noble does not verify the signature";
  },
});

/** A control of the comparison: for another message, everything must differ. */
const otherMessage = (task: IssueTask, ours: OurSignature, message: Message): Trial => ({
  name: "gives other ones of another message",
  task: { ...task, message: message.hex },
  flawOf: (answer) => {
    if (answer.kind !== "issued" || answer.signature === null) return unexpected(answer);
    const isSame = hexOfPartials(answer.partials).some((partial) => ours.partials.includes(partial));
    return isSame || isSameSignature(ours.signature, answer.signature) ? "they are the same" : undefined;
  },
});

/** One signer's k~_i does not match what the others know of it. */
const changedNonce = (task: IssueTask): Trial => {
  const first = firstOf(task.presignatures);
  const other = crateScalar((numberOfHex(first.tilde_k.scalar) + 1n) % ORDER);
  const presignatures = [{ ...first, tilde_k: other }, ...task.presignatures.slice(1)];
  return {
    name: "makes no signature with a changed presignature",
    task: { ...task, presignatures },
    flawOf: (answer) => {
      if (answer.kind !== "issued") return unexpected(answer);
      return answer.signature === null ? undefined : "it made one";
    },
  };
};

/** Our library presigns with every three of the five; both sides sign with the results. */
export const samePartials = (holders: Holders): readonly Trial[] =>
  QUORUMS.flatMap((signers, at) => {
    const [message, other] = [
      messageOf(`pay ${signers.join()}`),
      messageOf(`pay others than ${signers.join()}`),
    ];
    const { publicKey } = holders.info;
    const presignatures = presignByUs(holders, signers);
    const task = issueTask(presignatures, publicKey, message);
    const ours = signByUs(presignatures, message.digest);
    const trial = same(task, ours, publicKey, message.digest);
    return at === 0 ? [trial, otherMessage(task, ours, other), changedNonce(task)] : [trial];
  });
