import { expect, it } from "vitest";
import { networkSchema } from "../network.ts";
import { NATIVE_ASSET } from "./effects.ts";
import { parseFiat } from "./fiat.ts";
import { quotesOf } from "./prices.ts";

const network = networkSchema.parse("Bitcoin");

it.each([
  ["54000", 54_000],
  ["60000.01", 60_000.01],
  ["0.1", 0.1],
  ["0.000000000000000001", 1e-18],
  ["999999999999999", 999_999_999_999_999],
  ["0", 0],
])("a price of %s is shown as that number", (text, shown) => {
  const EUR = parseFiat(text) ?? expect.fail();
  const prices = { find: () => ({ decimals: 8, EUR, USD: EUR }) };
  expect(quotesOf(network, NATIVE_ASSET, prices)).toEqual({ EUR: shown, USD: shown });
});
