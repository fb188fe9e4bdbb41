import { JsonDecimal, type LedgerJson } from "../../json.ts";

/** Formats smallest units with the mint's decimals, without trailing zeros. */
const decimalText = (amount: bigint, decimals: number): string => {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const places = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return places === "" ? whole : `${whole}.${places}`;
};

/** @source Solana, account-decoder: UiTokenAmount */
export const agaveTokenAmount = (amount: bigint, decimals: number): LedgerJson => {
  const text = decimalText(amount, decimals);
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: new JsonDecimal(text.includes(".") ? text : `${text}.0`),
    uiAmountString: text,
  };
};
