import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { testSessionId } from "@conclave/threshold/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import type { AnswerOfKey, KeyQuestion, SignerLink } from "../../interpreter/signer-link.ts";

/** A link under test, to the live signers 1, 2 and 3 of a roster, which hold no keys. */
export interface TriedLink {
  readonly link: SignerLink;
  /** Unix milliseconds, by the signers' clocks */
  readonly nowMs: () => number;
  /** ends a signer's process, or all connections to it, which a link cannot distinguish */
  readonly kill: (signer: PartyIndex) => Promise<void>;
  /** lets time pass until the condition holds */
  readonly until: (condition: () => boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

const SESSION_MS = 20_000;
const party = (value: number): PartyIndex => {
  const index = partyIndex(value);
  if (index === undefined) throw new RangeError(`${value} is no index`);
  return index;
};
const [ONE, TWO, THREE, NOBODY] = [party(1), party(2), party(3), party(9)];

/** The tests for every link, over gRPC or in memory, with real signers behind it. */
export const describeSignerLink = (name: string, open: () => Promise<TriedLink>): void => {
  let tried: TriedLink;
  let sessions = 0;
  beforeEach(async () => {
    tried = await open();
    await tried.until(() => tried.link.live().length === 3);
  });
  afterEach(() => tried.close());

  /** Begins a session that waits for the other signers, which are not asked. */
  const begin = (signer: PartyIndex, forMs = SESSION_MS) => {
    sessions += 1;
    const heard = { reports: [] as SessionReport[], lost: 0 };
    const command = { kind: "auxiliary", epoch: 1, expiresAtMs: tried.nowMs() + forMs } as const;
    const { cancel } = tried.link.begin(
      signer,
      { session: testSessionId(`${name}/${sessions}/${tried.nowMs()}`), lives: tried.link.lives() },
      command,
      {
        report: (report) => heard.reports.push(report),
        lost: () => {
          heard.lost += 1;
        },
      },
    );
    return { heard, cancel };
  };
  const ask = (question: KeyQuestion) => {
    const answers: AnswerOfKey[] = [];
    tried.link.ask(question, (answer) => answers.push(answer));
    return answers;
  };
  const killed = async (signer: PartyIndex): Promise<void> => {
    await tried.kill(signer);
    await tried.until(() => !tried.link.live().includes(signer));
  };

  describe(`${name} as a link to signers`, () => {
    it("lists who lives, and tells of each change until nobody wants to hear", async () => {
      const { link } = tried;
      expect(link.live()).toEqual([ONE, TWO, THREE]);
      let changes = 0;
      const forget = link.onChange(() => {
        changes += 1;
      });
      await killed(THREE);
      await tried.until(() => changes > 0);
      forget();
      const before = changes;
      await killed(TWO);
      expect([link.live(), changes]).toEqual([[ONE], before]);
    });

    it("hears what a signer says of a session, and that the signer died", async () => {
      const { heard } = begin(ONE);
      await tried.until(() => heard.reports.length > 0);
      expect([heard.reports[0]?.kind, heard.lost]).toEqual(["progress", 0]);
      await killed(ONE);
      await tried.until(() => heard.lost === 1);
    });

    it("hears nothing more of a session that was closed", async () => {
      const { heard, cancel } = begin(ONE);
      await tried.until(() => heard.reports.length > 0);
      cancel();
      const before = heard.reports.length;
      const next = begin(ONE);
      await tried.until(() => next.heard.reports.length > 0);
      await killed(ONE);
      expect(heard).toMatchObject({ reports: { length: before }, lost: 0 });
    });

    it("has lost, once, a session with somebody who is dead or whom it does not know", async () => {
      await killed(TWO);
      const begun = [begin(TWO), begin(NOBODY)];
      await tried.until(() => begun.every(({ heard }) => heard.lost > 0));
      for (const { heard } of begun) expect(heard).toEqual({ reports: [], lost: 1 });
    });

    it("hears a refusal as the last word: nothing is lost when its signer dies", async () => {
      const { heard } = begin(ONE, -1);
      await tried.until(() => heard.reports.length > 0);
      await killed(ONE);
      expect([heard.reports.map(({ kind }) => kind), heard.lost]).toEqual([["refusal"], 0]);
    });

    it("answers once what a signer holds of a key, that it refuses, or that it does not answer", async () => {
      const keyId = "nobody's";
      await killed(TWO);
      const answers = [
        ask({ kind: "activate", signer: ONE, keyId }),
        ask({ kind: "discard", signer: ONE, keyId }),
        ask({ kind: "switch", signer: ONE, keyId, certificate: new Uint8Array(3) }),
        ask({ kind: "activate", signer: TWO, keyId }),
      ];
      await tried.until(() => answers.every(({ length }) => length > 0));
      expect(answers).toMatchObject([
        [{ kind: "key-state", state: "absent", epoch: 0 }],
        [{ kind: "key-state", state: "absent", epoch: 0 }],
        [{ kind: "refused", problem: { code: "EpochCertificateInvalid" } }],
        [{ kind: "unanswered" }],
      ]);
    });

    it("discards presignatures of whomever, and nobody waits", async () => {
      await killed(TWO);
      for (const signer of [ONE, TWO, NOBODY]) tried.link.discardPresignatures(signer, ["ab".repeat(32)]);
      const answers = ask({ kind: "activate", signer: ONE, keyId: "nobody's" });
      await tried.until(() => answers.length > 0);
    });
  });
};
