import { describe, expect, it } from "vitest";
import { type Codec, scalarCodecOf } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { publicKeyOf } from "../public-key.ts";
import { FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { frostStarts } from "../testing/frost-starts.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { type LockstepOutcome, runLockstep } from "../testing/lockstep.ts";
import { liesOfFields } from "../testing/mutation/field-lies.ts";
import { commitmentMessageCodec } from "./round1.ts";

// Every lie gets a run of its own: nonces answer one list, so no run can be gone back to and continued otherwise.

const signers = testParties(3);
const [self, cheat, other] = [testParty(1), testParty(2), testParty(3)];
const message = new TextEncoder().encode("pay Bob one bitcoin");

type Outcomes = ReadonlyMap<PartyIndex, LockstepOutcome<Uint8Array>>;

const lieTo = <P extends GroupPoint<P>>(scheme: Scheme<P>): void => {
  const { curve, frost = expect.fail("a scheme of FROST") } = scheme;
  const shares = insecureSchemeShares(scheme, 3, signers);
  const publicKey = publicKeyOf(shares.get(self)?.info ?? expect.fail());

  /** A run in which the cheat's message of this round is another, and what it would have been. */
  const play = (session: string, round?: number, lie?: Uint8Array) => {
    const sent = new Map<number, Uint8Array>();
    const outcomes: Outcomes = runLockstep({
      starts: frostStarts({ shares, signers, message, session }),
      seed: session,
      mutate: (passing) => {
        if (passing.from !== cheat) return passing.payload;
        sent.set(passing.round, passing.payload);
        return lie !== undefined && passing.round === round ? lie : passing.payload;
      },
    });
    return { sent, outcomes };
  };
  const [honest, elsewhere] = [play("FROST"), play("FROST, another time")];

  /** What is wrong with what honest signers came to; nothing when all agree that it is one of these. */
  const flawOf = (outcomes: Outcomes, allowed: readonly string[]): string | undefined => {
    const [one, two] = [outcomes.get(self), outcomes.get(other)];
    if (one?.kind !== two?.kind || one === undefined) return "the honest signers do not agree";
    if (!allowed.includes(one.kind)) return `ended in ${one.kind}`;
    for (const outcome of [one, two]) {
      if (outcome?.kind === "fault" && outcome.accusation.culprit !== cheat) return "blames an honest signer";
      if (outcome?.kind === "output" && !frost.verify(outcome.output, message, publicKey))
        return "not a signature";
    }
    return undefined;
  };

  const checkLies = (round: number, codec: Pick<Codec<unknown>, "read">) => {
    const payload = honest.sent.get(round) ?? expect.fail("nothing was sent");
    const there = elsewhere.sent.get(round) ?? expect.fail("nothing was sent");
    const known = {
      payloads: new Map([["another session", there]]),
      integers: new Map([["q", curve.order]]),
    };
    const flaws = liesOfFields(codec, payload, known).flatMap(({ path, lies }) =>
      lies.flatMap((lie) => {
        const flaw = flawOf(play("FROST", round, lie.payload).outcomes, ["fault"]);
        return flaw === undefined ? [] : [`${path}, ${lie.name}: ${flaw}`];
      }),
    );
    expect(flaws).toEqual([]);
  };

  it("ends well when nobody lies", () => {
    expect(flawOf(honest.outcomes, ["output"])).toBeUndefined();
  });

  it("a lie about the commitments or the request names the cheat", () => {
    checkLies(1, commitmentMessageCodec(curve));
  });

  it("a lie about a signature share names the cheat", () => {
    checkLies(2, scalarCodecOf(curve));
  });

  it("a message of another length names the cheat", () => {
    for (const round of [1, 2]) {
      const payload = honest.sent.get(round) ?? expect.fail("nothing was sent");
      const wrong = [new Uint8Array(0), payload.slice(1), Uint8Array.from([...payload, 0])];
      for (const lie of wrong) expect(flawOf(play("FROST", round, lie).outcomes, ["fault"])).toBeUndefined();
    }
  });
};

describe("INV-7 every field of every message of FROST for Ed25519", () => lieTo(FROST_ED25519));
describe("INV-7 every field of every message of FROST for Taproot", () => lieTo(FROST_TAPROOT));
