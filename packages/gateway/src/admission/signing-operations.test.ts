import { describe, expect, it } from "vitest";
import { asksContracts, waitsForSigners } from "./signing-operations.ts";

describe("whether a request waits for the signers", () => {
  it.each([
    ["POST", "/wallets", true],
    ["POST", "/keys", true],
    ["POST", "/keys/import", true],
    ["POST", "/wallets/import", true],
    ["POST", "/keys/key-1/export", true],
    ["POST", "/wallets/wa-1/export", true],
    ["POST", "/keys/key-1/signatures", true],
    ["POST", "/wallets/wa-1/signatures", true],
    ["POST", "/wallets/wa-1/transactions", true],
    ["POST", "/wallets/wa-1/transactions/tx-1/speed-up", true],
    ["POST", "/wallets/wa-1/transfers/xfr-1/cancel", true],
    ["POST", "/auth/registration/enduser", true],
    ["POST", "/auth/registration", false],
    ["POST", "/wallets/wa-1/transfers", false],
    ["GET", "/wallets", false],
    ["GET", "/wallets/wa-1/signatures", false],
    ["POST", "/keys/key-1/delegate", false],
  ])("%s %s: %s", (method, path, expected) => {
    expect(waitsForSigners(method, path)).toBe(expected);
  });
});

describe("whether a caller chooses how much work a node has", () => {
  it.each([
    ["POST", "/networks/EthereumSepolia/call-function", true],
    ["POST", "/networks/read-contract", true],
    ["GET", "/wallets/wa-1/assets", true],
    ["GET", "/wallets/wa-1/nfts", true],
    ["GET", "/networks/fees", false],
    ["GET", "/wallets/wa-1/history", false],
    ["POST", "/wallets/wa-1/assets", false],
  ])("%s %s: %s", (method, path, expected) => {
    expect(asksContracts(method, path)).toBe(expected);
  });
});
