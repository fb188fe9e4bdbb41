import { describe, expect, it } from "vitest";
import { challenge, type Field, type ProofContext } from "../../transcript.ts";

/**
 * A prover that knows the challenge before a component is fixed solves the verification equations for this
 * component: that is the forgery which a challenge without the component allows (P3, P4). The simulators of the
 * tests also know the verifier's secrets, so that they can take roots modulo its N^: a forgery stands for every
 * component, whatever a real cheat could compute.
 */

/** A transcript: what it claims, and its proof. */
export interface Transcript<Statement, Proof> {
  readonly statement: Statement;
  readonly proof: Proof;
}

/** The challenge that a simulator answers: of everything but one component. */
export type ChallengeOf<Statement, Commitments, Drawn> = (
  statement: Statement,
  commitments: Commitments,
) => Drawn;

/** Makes a transcript for a challenge that depends on all that the simulator hands to it, but not on what it solves for. */
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
  /** everything that the challenge depends on, in its order, as the paper's figure names it */
  readonly fields: (statement: Statement, commitments: Commitments) => Readonly<Record<string, Field>>;
  /** names of fields that are constants: nothing can be solved for */
  readonly constants: readonly string[];
  readonly draw: (drawn: ReturnType<typeof challenge>, statement: Statement) => Drawn;
  /** whether ranges and equations hold for this challenge: the verifier by the book, and by nothing of the code under test */
  readonly holds: (transcript: Transcript<Statement, Proof>, e: Drawn) => boolean;
  readonly verify: (transcript: Transcript<Statement, Proof>) => boolean;
  readonly honest: Simulator<Statement, Commitments, Proof, Drawn>;
  /** by the component that the challenge lacks */
  readonly forgeries: Readonly<Record<string, Simulator<Statement, Commitments, Proof, Drawn>>>;
  /** honest transcripts of unfit nonces, by the commitment that is the identity then */
  readonly identities?: Readonly<Record<string, Simulator<Statement, Commitments, Proof, Drawn>>>;
}

/** For every component of a challenge: a transcript that stands when it is missing is refused, because it is not missing. */
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
