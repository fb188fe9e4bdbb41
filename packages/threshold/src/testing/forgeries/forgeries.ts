import { describe, expect, it } from "vitest";
import { challenge, type Field, type ProofContext } from "../../transcript.ts";

/**
 * A prover that knows the challenge before it fixes a component can solve the verification equations for this
 * component: a challenge that omits the component allows that forgery (P3, P4). The simulators of the tests
 * also know the verifier's secrets, so that they can take roots modulo its N^: so a forgery exists for every
 * component, whatever a real cheat could compute.
 */

/** A transcript: a claimed statement, and its proof. */
export interface Transcript<Statement, Proof> {
  readonly statement: Statement;
  readonly proof: Proof;
}

/** The challenge that a simulator answers: it omits one component. */
export type ChallengeOf<Statement, Commitments, Drawn> = (
  statement: Statement,
  commitments: Commitments,
) => Drawn;

/**
 * Makes a transcript for a challenge that depends on everything the simulator passes to it, except the
 * component that it solves for.
 */
export type Simulator<Statement, Commitments, Proof, Drawn> = (
  challengeOf: ChallengeOf<Statement, Commitments, Drawn>,
) => Transcript<Statement, Proof>;

/** The context of all forgeries. */
export const FORGERY_CONTEXT: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 4,
  prover: 1,
  verifier: 2,
  position: "forgery",
};

/** A proof whose challenge must depend on every component. */
export interface ForgeableProof<Statement, Commitments, Proof extends Commitments, Drawn> {
  /** the proof's name in the challenge */
  readonly domain: string;
  /** all inputs of the challenge, in order, by their names in the paper's figure */
  readonly fields: (statement: Statement, commitments: Commitments) => Readonly<Record<string, Field>>;
  /** names of fields that are constants, for which nothing can be solved */
  readonly constants: readonly string[];
  readonly draw: (drawn: ReturnType<typeof challenge>, statement: Statement) => Drawn;
  /**
   * whether ranges and equations hold for this challenge: a verifier written from the paper, without the code
   * under test
   */
  readonly holds: (transcript: Transcript<Statement, Proof>, e: Drawn) => boolean;
  readonly verify: (transcript: Transcript<Statement, Proof>) => boolean;
  readonly honest: Simulator<Statement, Commitments, Proof, Drawn>;
  /** by the component that the challenge omits */
  readonly forgeries: Readonly<Record<string, Simulator<Statement, Commitments, Proof, Drawn>>>;
  /** honest transcripts whose nonces turn one commitment into the identity; the key names that commitment */
  readonly identities?: Readonly<Record<string, Simulator<Statement, Commitments, Proof, Drawn>>>;
}

/**
 * Tests every component of a challenge: a transcript that would verify if the challenge omitted the component
 * is refused.
 */
export const describeForgeries = <Statement, Commitments, Proof extends Commitments, Drawn>({
  domain,
  fields,
  constants,
  draw,
  holds,
  verify,
  honest,
  forgeries,
  identities = {},
}: ForgeableProof<Statement, Commitments, Proof, Drawn>): void => {
  const challengeWithout =
    (missing?: string): ChallengeOf<Statement, Commitments, Drawn> =>
    (statement, commitments) => {
      const kept = Object.entries(fields(statement, commitments)).filter(([name]) => name !== missing);
      const drawn = challenge(
        domain,
        FORGERY_CONTEXT,
        kept.map(([, field]) => field),
      );
      return draw(drawn, statement);
    };

  describe(`P4 ${domain}: no component is missing from the challenge`, () => {
    it.each(Object.entries(forgeries))("refuses a transcript that was solved for %s", (missing, simulate) => {
      const challengeOf = challengeWithout(missing);
      const forged = simulate(challengeOf);
      expect(holds(forged, challengeOf(forged.statement, forged.proof))).toBe(true);
      expect(verify(forged)).toBe(false);
    });

    it.each(Object.entries(identities))(
      "P9 refuses the identity as %s, though all equations hold",
      (_, simulate) => {
        const transcript = simulate(challengeWithout());
        expect(holds(transcript, challengeWithout()(transcript.statement, transcript.proof))).toBe(true);
        expect(verify(transcript)).toBe(false);
      },
    );

    it("the fields named here are those of the challenge: an honest proof answers it", () => {
      const transcript = honest(challengeWithout());
      expect(holds(transcript, challengeWithout()(transcript.statement, transcript.proof))).toBe(true);
      expect(verify(transcript)).toBe(true);
      const named = [...Object.keys(forgeries), ...constants].toSorted();
      expect(named).toEqual(Object.keys(fields(transcript.statement, transcript.proof)).toSorted());
    });
  });
};
