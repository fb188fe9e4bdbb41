import { describe, expect, test } from "vitest";
import { clusterRequest, type UpOptions } from "./up.ts";

const options: UpOptions = {
  name: "up-test",
  signers: 5,
  threshold: 3,
  wallets: 0,
  networks: [],
  json: false,
  logLevel: "info",
  allowImport: false,
  allowExport: false,
};
const requested = (environment: Readonly<Record<string, string>>) =>
  clusterRequest(options, environment, () => undefined);

test("wallets are refused where nobody can fund them", () => {
  const environment = { CONCLAVE_EVM_RPC_URL: "http://127.0.0.1:1" };
  expect(requested(environment)).toMatchObject({ evmRpcUrl: "http://127.0.0.1:1" });
  expect(() => clusterRequest({ ...options, wallets: 3 }, environment, () => undefined)).toThrow(
    "fund wallets",
  );
});

describe("the environment of the gateways of `conclave up`", () => {
  test("reaches them", () => {
    const said = { CONCLAVE_REQUESTS_PER_MINUTE: "0", CONCLAVE_USER_ACTIONS: "required" };
    expect(requested(said)).toMatchObject({ requestsPerMinute: 0, userActions: "required" });
    expect(requested({})).not.toHaveProperty("userActions");
    expect(requested({ CONCLAVE_USER_ACTIONS: "" })).not.toHaveProperty("userActions");
  });

  test.each([
    { CONCLAVE_REQUESTS_PER_MINUTE: "many" },
    { CONCLAVE_REQUESTS_PER_MINUTE: "-1" },
    { CONCLAVE_REQUESTS_PER_MINUTE: "1e3" },
    { CONCLAVE_USER_ACTIONS: "yes" },
  ])("is refused before anything starts, when they would not understand it: %o", (environment) => {
    const [name = ""] = Object.keys(environment);
    expect(() => requested(environment)).toThrow(name);
  });
});
