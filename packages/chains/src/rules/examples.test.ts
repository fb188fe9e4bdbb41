import { networkSchema, transferBodySchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { FAMILIES } from "../registry.ts";

/** a sender other than the receiver, on networks that refuse payments to oneself */
const SENDERS: Readonly<Record<string, string>> = {
  Tron: "TMneCXvi5RyCSCeDoDYcC9zW5hfTSSn3wY",
  Xrpl: "rLzGTZsjgpFcBidnazBKaQfuh2jEQRurkx",
};

/** the generator of secp256k1, for families whose bytes hold the public key */
const PUBLIC_KEY = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

describe.each(FAMILIES.families)("the examples of $name", (rules) => {
  const network = networkSchema.parse(rules.examples.network);

  it("show every kind of transfer that is carried out, each as it may be sent", () => {
    const bodies = Object.values(rules.examples.transfers);
    expect(new Set(bodies.map(({ kind }) => kind))).toEqual(new Set(rules.transferKinds));
    for (const body of bodies) {
      expect(transferBodySchema.parse(body)).toEqual(body);
      const judged = rules.judgeTransfer(network, body, SENDERS[rules.name] ?? body.to);
      expect(judged.ok ? undefined : judged.problem).toBeUndefined();
    }
  });

  it("show transactions and contents as they may be sent", () => {
    const [paid] = Object.values(rules.examples.transfers);
    const sender = SENDERS[rules.name] ?? paid?.to ?? expect.fail("a transfer is shown");
    for (const body of Object.values(rules.examples.transactions))
      expect(rules.judgeTransaction(network, body, sender, undefined)).toMatchObject({ ok: true });
    for (const body of Object.values(rules.examples.signatures))
      expect(rules.judgeContent(network, body, PUBLIC_KEY)).toMatchObject({ ok: true });
  });
});
