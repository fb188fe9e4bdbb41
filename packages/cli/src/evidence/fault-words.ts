import { createHash } from "node:crypto";
import type { ErrorCode } from "@conclave/custody";
import type { Roster } from "@conclave/platform";
import { timesOf } from "@conclave/platform/config";
import type { Evidence } from "@conclave/threshold";
import { printable } from "../printable.ts";
import type { DatedVerdict } from "./verdict-over-time.ts";

/** The id of a signer, such as "signer-3", as its operator knows it; also of a signer that was removed since. */
export const signerNamed = (
  roster: Pick<Roster, "clusterId" | "threshold" | "signers" | "renewals" | "changes">,
  party: number,
): string =>
  timesOf(roster)
    .flatMap(({ signers }) => signers)
    .find(({ index }) => index === party)?.id ?? `party ${party}`;

/** The error code of evidence that proves nothing. */
const NOT_PROVEN: ErrorCode = "EvidenceNotProven";

const line = (name: string, value: string): string => `  ${name.padEnd(9)} ${printable(value)}`;

const sessionOf = (roster: Roster, { attempt }: Evidence): readonly string[] => [
  line("session", Buffer.from(attempt.given).toString("hex")),
  line("deadline", new Date(attempt.expiresAtMs).toISOString()),
  line("protocol", attempt.protocol),
  ...(attempt.keyId === "" ? [] : [line("key", `${attempt.keyId}, epoch ${attempt.epoch}`)]),
  line("parties", attempt.parties.map((party) => signerNamed(roster, party)).join(", ")),
];

const eventsSince = (roster: Roster, { accusedSince, putOut, before }: DatedVerdict): readonly string[] => {
  if (putOut !== undefined) {
    const name = signerNamed(roster, putOut.party);
    return [
      line("removed", `${name} is not in the cluster since ${putOut.date}: it was put out for this evidence`),
    ];
  }
  if (accusedSince !== undefined) {
    const { party, date, kind } = accusedSince;
    const name = signerNamed(roster, party);
    return kind === "renewed"
      ? [line("renewed", `${name} has another identity since ${date}; who has the old one can make this`)]
      : [line("removed", `${name} is not in the cluster since ${date}; who has its identity can make this`)];
  }
  if (before === undefined) return [];
  const name = signerNamed(roster, before.party);
  return before.kind === "renewed"
    ? [line("before", `the identity of ${name} was renewed, ${before.date}`)]
    : [line("before", `${name} was removed, ${before.date}`)];
};

/** Describes what evidence proves, and in which session the fault happened. */
export const inWords = (
  roster: Roster,
  { evidence, bytes }: { readonly evidence: Evidence; readonly bytes: Uint8Array },
  dated: DatedVerdict,
): string => {
  const { verdict } = dated;
  const accused = signerNamed(roster, evidence.accused);
  const digest = createHash("sha256").update(bytes).digest("hex");
  const facts = [
    ...sessionOf(roster, evidence),
    line("evidence", `${evidence.messages.length} signed messages, ${bytes.length} bytes, SHA-256 ${digest}`),
  ];
  if (verdict.kind === "proven") {
    return [
      `proven: ${accused} deviated from the protocol`,
      line("what", verdict.sentence),
      line("check", verdict.check),
      ...eventsSince(roster, dated),
      ...facts,
      `Anybody with the roster of ${roster.clusterId} comes to the same result.`,
    ].join("\n");
  }
  return [
    `not proven (${NOT_PROVEN}): ${printable(verdict.why)}`,
    line("accused", accused),
    line("check", evidence.check),
    ...facts,
    `This file is no reason to blame ${accused}, nor anybody else.`,
  ].join("\n");
};
