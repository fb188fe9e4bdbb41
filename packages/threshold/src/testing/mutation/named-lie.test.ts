import { describe, expect, it } from "vitest";
import { INSECURE_TEST_PARAMETERS as parameters } from "../../insecure-test-parameters.ts";
import { ENVELOPE_KIND, signEnvelope } from "../../session/envelope.ts";
import { presigning } from "../decoders/honest-messages.ts";
import { LIES, lieNamed } from "./named-lie.ts";

const SECRET = new Uint8Array(32).fill(7);

/** An honest message of presigning in its envelope. */
const honest = (round: number, kind: "broadcast" | "direct") => {
  const [payload] = presigning.sent(round, kind);
  if (payload === undefined) throw new Error("a round has a message");
  const to = kind === "direct" ? 2 : 0;
  const header = { session: new Uint8Array(32), round, kind: ENVELOPE_KIND[kind], from: 1, to };
  return signEnvelope(header, payload, SECRET);
};

const EVERY_MESSAGE = [
  honest(1, "broadcast"),
  honest(1, "direct"),
  honest(2, "broadcast"),
  honest(2, "direct"),
  honest(3, "broadcast"),
];

const bentBy = (name: string) => {
  const lie = lieNamed(name);
  if (!lie.ok) throw new Error(lie.reason);
  return EVERY_MESSAGE.flatMap((envelope) => lie.value.bend(envelope, parameters, SECRET) ?? []);
};

describe("a lie that has a name", () => {
  it.each(LIES.filter((name) => name.startsWith("presign/")))(
    "INV-7 is one byte in one message: %s",
    (name) => {
      const [bent, ...others] = bentBy(name);
      expect(others).toEqual([]);
      const truth = EVERY_MESSAGE.find(({ round, kind }) => round === bent?.round && kind === bent?.kind);
      const changed = truth?.payload.filter((byte, at) => byte !== bent?.payload[at]);
      expect([changed?.length, bent?.payload.length]).toEqual([1, truth?.payload.length]);
    },
  );

  it("may be named by the end of its field", () => {
    expect(bentBy("presign/2.D")).toEqual(bentBy("presign/2.pairs.nonce.D"));
  });

  it.each([["presign/2.nothing"], ["presign/2."], ["presign/2"], ["reading/1.D"]])(
    "is refused, with all that there are, when nobody knows it: %s",
    (name) => {
      expect(lieNamed(name)).toEqual({
        ok: false,
        reason: `no signer lies in ${name}; there are ${LIES.join(", ")}`,
      });
    },
  );
});
