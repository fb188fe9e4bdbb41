import { networkSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { bitcoinScript } from "./address.ts";
import { BITCOIN_RULES } from "./rules.ts";
import { bitcoinAddressPaid, bitcoinDustLimit } from "./script.ts";

const MAIN = networkSchema.parse("Bitcoin");
const FROM = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const judged = (to: string) =>
  BITCOIN_RULES.judgeTransfer(MAIN, { kind: "Native", to, amount: "50000" }, FROM);
const recipient = (to: string) => {
  const transfer = judged(to);
  if (!transfer.ok) expect.fail(transfer.problem.message);
  return BITCOIN_RULES.judgeRecipient?.(MAIN, transfer.value.transfer);
};

describe("K2 a recipient on Bitcoin", () => {
  it.each([
    ["1111111111111111111114oLvT2", /nobody has its key/],
    ["1BitcoinEaterAddressDontSendf59kuE", /nobody has its key/],
    ["1CounterpartyXXXXXXXXXXXXXXXUWLpVr", /nobody has its key/],
    ["1QLbz7JHiBTspS962RLKV8GndWFwi5j6Qr", /nobody has its key/],
    ["31h1vYVSYuKP6AhS86fbRdMw9XHieotbST", /bytes that are all alike/],
    ["bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs", /nobody has its key/],
    ["bc1pfeessrawgf", /pay-to-anchor address: anybody takes what is sent there/],
  ])("that nobody could use, %s, is refused with the reason", (to, why) => {
    expect(recipient(to)).toMatchObject({
      ok: false,
      problem: { code: "RecipientUnsuitable", message: expect.stringMatching(why), details: { field: "to" } },
    });
  });

  it.each([0x00, 0xff])("that is a hash or key of bytes %i alone is refused, of each kind", (byte) => {
    for (const [head, length] of [
      [[0x00, 0x20], 32],
      [[0x51, 0x20], 32],
      [[0xa9, 0x14], 20],
    ] as const) {
      const body = Array.from({ length }, () => byte);
      const script = Uint8Array.of(...head, ...body, ...(head[0] === 0xa9 ? [0x87] : []));
      const to = bitcoinAddressPaid(MAIN, script) ?? expect.fail("it has an address");
      expect(recipient(to)).toMatchObject({ ok: false, problem: { code: "RecipientUnsuitable" } });
    }
  });

  it.each(["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", FROM])(
    "that somebody has the key of, %s, is taken",
    (to) => {
      expect(recipient(to)).toEqual({ ok: true, value: undefined });
    },
  );

  it("of pay-to-anchor has a script, an address and a dust limit of its own (BIP-433)", () => {
    const script = bitcoinScript(MAIN, "bc1pfeessrawgf") ?? expect.fail("it has a script");
    expect([...script]).toEqual([0x51, 0x02, 0x4e, 0x73]);
    expect([bitcoinAddressPaid(MAIN, script), bitcoinDustLimit(script)]).toEqual(["bc1pfeessrawgf", 240n]);
    expect(bitcoinAddressPaid(MAIN, Uint8Array.of(0x51, 0x02, 0x4e, 0x74))).toBeUndefined();
  });
});

describe("K12 an amount on Bitcoin", () => {
  it.each([
    ["0.5", /whole number of satoshis/],
    ["0", /whole number of satoshis/],
    ["293", /dust.*less than 294 satoshis.*Send 294 satoshis or more/],
    ["2100000000000001", /more than 2100000000000000 satoshis/],
  ])("that is not right, %s, is refused in satoshis", (amount, why) => {
    const refused = BITCOIN_RULES.judgeTransfer(MAIN, { kind: "Native", to: FROM, amount }, FROM);
    if (refused.ok) expect.fail("it is refused");
    expect(refused.problem).toMatchObject({ code: "AmountInvalid", details: { unit: "satoshi" } });
    expect(refused.problem.message).toMatch(why);
    expect(JSON.stringify(refused.problem)).not.toMatch(/ETH|wei/);
  });
});
