import { createHash } from "node:crypto";
import type { Roster } from "@conclave/platform";
import type { Evidence } from "@conclave/threshold";
import { printable } from "../printable.ts";
import type { DatedVerdict } from "./verdict-over-time.ts";

/** A signer by its id, as its operator knows it: "signer-3". */
export const signerNamed = ({ signers }: Pick<Roster, "signers">, party: number): string =>
  signers.find(({ index }) => index === party)?.id ?? `party ${party}`;

const line = (name: string, value: string): string => `  ${name.padEnd(9)} ${printable(value)}`;

const sessionOf = (roster: Roster, { attempt }: Evidence): readonly string[] => [
  line("session", Buffer.from(attempt.given).toString("hex")),
  line("deadline", new Date(attempt.expiresAtMs).toISOString()),
  line("protocol", attempt.protocol),
  ...(attempt.keyId === "" ? [] : [line("key", `${attempt.keyId}, epoch ${attempt.epoch}`)]),
  line("parties", attempt.parties.map((party) => signerNamed(roster, party)).join(", ")),
];

const renewalsOf = (roster: Roster, { accusedRenewed, before }: DatedVerdict): readonly string[] => {
  if (accusedRenewed !== undefined) {
    const name = signerNamed(roster, accusedRenewed.signer);
    return [
      line(
        "renewed",
        `${name} has another identity since ${accusedRenewed.date}; who has the old one can make this`,
      ),
    ];
  }
  return before === undefined
    ? []
    : [line("before", `the identity of ${signerNamed(roster, before.signer)} was renewed, ${before.date}`)];
};

/** Says what evidence proves, and of which session. */
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
      ...renewalsOf(roster, dated),
      ...facts,
      `Anybody with the roster of ${roster.clusterId} comes to the same result.`,
    ].join("\n");
  }
  return [
    `not proven: ${printable(verdict.why)}`,
    line("accused", accused),
    line("check", evidence.check),
    ...facts,
    `This file is no reason to blame ${accused}, nor anybody else.`,
  ].join("\n");
};
