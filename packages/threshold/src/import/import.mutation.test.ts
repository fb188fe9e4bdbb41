import { describe, expect, it } from "vitest";
import { fixedBytes, scalarCodecOf } from "../codec.ts";
import { type Point, SECP256K1 } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { CONFIRMATION_BYTES } from "../keygen/confirmation.ts";

import { COMMITMENT_BYTES } from "../opening.ts";
import { schnorrCodec } from "../proofs/schnorr.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import { dealingOpeningCodec } from "../redistribution/messages.ts";
import { CGGMP24 } from "../scheme.ts";
import type { Step } from "../session/round.ts";
import { accuse } from "../session/steps.ts";
import { importConfig } from "../testing/importing.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecurePlaintexts, insecurePolynomial, sealForSigners } from "../testing/insecure-import-client.ts";
import { mutationsOf } from "../testing/mutation/mutations.ts";
import { startImport } from "./import.ts";
import type { ImportRefusal } from "./refusal.ts";
import type { ImportOutcome } from "./run.ts";
import { statementCodec } from "./statement.ts";

const THRESHOLD = 2;
const parties = testParties(3);
const plaintexts = insecurePlaintexts(CGGMP24, parties, insecurePolynomial(CGGMP24, THRESHOLD));
const envelopes = sealForSigners(plaintexts);
const config = { scheme: CGGMP24, threshold: THRESHOLD, envelopes };

/** The signer that a refusal points at: one that stated a flaw, or whose view nobody shares. */
const shownBy = (refusal: ImportRefusal): PartyIndex | undefined =>
  refusal.kind === "entry"
    ? refusal.signer
    : refusal.views.find(({ signers }) => signers.length === 1)?.signers[0];

/** Turns a refusal into an accusation of the signer that it points at: in this test the client is honest. */
const accusing = (step: Step<ImportOutcome<Point>>): Step<ImportOutcome<Point>> => {
  if (step.kind === "next") {
    const { round } = step;
    return {
      ...step,
      round: { ...round, advance: (inbox, entropy) => accusing(round.advance(inbox, entropy)) },
    };
  }
  if (step.kind !== "output" || step.output.kind === "imported") return step;
  const [refusal] = step.output.refusals;
  const shown = refusal && shownBy(refusal);
  return shown === undefined ? step : accuse(shown, "refused");
};

/** The outcome of an import as a text, to compare. */
const endOf = (outcome: ImportOutcome<Point>): string =>
  outcome.kind === "imported" ? keyDigest(outcome.share.info).join() : "a refusal that points at nobody";

const { messages, unaccounted, ending } = mutationsOf<ImportOutcome<Point>>({
  name: "import",
  parties,
  cheat: testParty(2),
  attempt: {
    protocol: "key-import",
    keyId: "imported",
    epoch: 1,
    threshold: THRESHOLD,
    agreed: [new Uint8Array(32)],
  },
  isOwnCheck: (check) => check === "refused",
  start:
    ({ session, self }) =>
    (entropy) =>
      accusing(startImport({ ...importConfig(config, self), session })(entropy)),
  messages: [
    { round: 1, kind: "broadcast", codec: statementCodec(SECP256K1) },
    { round: 2, kind: "broadcast", codec: fixedBytes(COMMITMENT_BYTES) },
    { round: 3, kind: "broadcast", codec: dealingOpeningCodec(SECP256K1, THRESHOLD) },
    { round: 3, kind: "direct", codec: scalarCodecOf(SECP256K1) },
    { round: 4, kind: "broadcast", codec: schnorrCodec(SECP256K1) },
    { round: 5, kind: "broadcast", codec: fixedBytes(CONFIRMATION_BYTES) },
  ],
  flawOf: (outcomes) => (new Set([...outcomes.values()].map(endOf)).size > 1 ? "two ends" : undefined),
  integers: new Map([["q", SECP256K1.order]]),
});

const statements = messages.filter(([name]) => name.startsWith("round 1 "));

describe.each(statements)("INV-7 import: a message of %s", (_, mutations) => {
  it.each(mutations)("%s", (_, violations) => {
    expect(violations()).toEqual([]);
  });
});

/** The rounds of a redistribution: ../reshare/reshare.mutation.test.ts also lies about their envelopes and echoes. */
const dealings = messages.filter(([name]) => !name.startsWith("round 1 ") && !name.endsWith(" echo"));

describe.each(dealings)("INV-7 import: a message of %s", (_, mutations) => {
  it.each(mutations.filter(([name]) => name.startsWith("whose")))("%s", (_, violations) => {
    expect(violations()).toEqual([]);
  });
});

it("an import sends nothing that is not mutated, and ends well when nobody lies", () => {
  expect(statements).toHaveLength(2);
  expect(unaccounted).toEqual([]);
  expect(ending).toEqual([]);
});
