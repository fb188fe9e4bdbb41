import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf, listOf, walletOf } from "../testing/bodies.ts";
import { ADDRESS, startWorld, type World } from "../testing/world.ts";

const sepolia = { network: "EthereumSepolia" };
const payment = { kind: "Native", to: ADDRESS, amount: "1" };
const PUBLIC = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
const hash = { kind: "Hash", hash: `0x${"11".repeat(32)}` };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const idOf = async (path: string, body: unknown): Promise<string> => {
  const answer = await world.call("POST", path, body);
  expect(answer.status).toBe(200);
  return walletOf({ dateCreated: "", ...Object(answer.body) }).id;
};

/** An end user with all permissions that end users may have. */
const endUser = async () => {
  const { token, caller } = await world.tokenOf([
    "Wallets:Create",
    "Wallets:Read",
    "Wallets:Transfers:Create",
    "Wallets:Transfers:Read",
    "Wallets:Transactions:Create",
    "Wallets:Transactions:Read",
    "Keys:Signatures:Create",
    "Keys:Signatures:Read",
  ]);
  await world.database.execute("update users set kind = 'EndUser' where id = $1", [caller.userId]);
  return (method: string, path: string, body?: unknown) =>
    world.call(method, path, body, { authorization: `Bearer ${token}` });
};

describe("an end user", () => {
  it("INV-11 reads no request of a wallet or key that is not its own, and touches none", async () => {
    const wallet = (await world.call("POST", "/wallets", sepolia)).body;
    const [walletPath, keyPath] = [
      `/wallets/${walletOf(wallet).id}`,
      `/keys/${Object(wallet).signingKey.id}`,
    ];
    const transfer = await idOf(`${walletPath}/transfers`, payment);
    const transaction = await idOf(`${walletPath}/transactions`, { kind: "Evm", to: ADDRESS, value: "1" });
    const signature = await idOf(`${walletPath}/signatures`, hash);
    const call = await endUser();
    const theirs = walletOf((await call("POST", "/wallets", sepolia)).body).id;
    const asked: readonly (readonly [string, string, string])[] = [
      ["GET", `${walletPath}/transfers/${transfer}`, "TransferNotFound"],
      ["PUT", `${walletPath}/transfers/${transfer}/abort`, "TransferNotFound"],
      ["POST", `${walletPath}/transfers/${transfer}/cancel`, "TransferNotFound"],
      ["POST", `${walletPath}/transfers/${transfer}/speed-up`, "TransferNotFound"],
      ["GET", `/wallets/${theirs}/transfers/${transfer}`, "TransferNotFound"],
      ["GET", `${walletPath}/transactions/${transaction}`, "TransactionNotFound"],
      ["PUT", `${walletPath}/transactions/${transaction}/abort`, "TransactionNotFound"],
      ["GET", `${walletPath}/signatures/${signature}`, "SignatureNotFound"],
      ["GET", `/wallets/${theirs}/signatures/${signature}`, "SignatureNotFound"],
      ["GET", `${keyPath}/signatures/${signature}`, "SignatureNotFound"],
      ["GET", `${walletPath}/transfers`, "WalletNotFound"],
      ["GET", `${walletPath}/transactions`, "WalletNotFound"],
      ["GET", `${walletPath}/signatures`, "WalletNotFound"],
      ["GET", `${keyPath}/signatures`, "KeyNotFound"],
      ["GET", `${walletPath}/assets`, "WalletNotFound"],
      ["GET", `${walletPath}/nfts`, "WalletNotFound"],
      ["GET", `${walletPath}/history`, "WalletNotFound"],
    ];
    for (const [method, path, code] of asked) {
      const { status, body } = await call(method, path, method === "GET" ? undefined : {});
      expect([path, status, status === 200 ? "" : errorOf(body).details.code]).toEqual([path, 404, code]);
    }
  });

  it("row 16: does not learn from a 409 which request of another end user has the externalId", async () => {
    const [ada, bob] = [await endUser(), await endUser()];
    const walletFor = async (call: typeof ada) => {
      const { id, signingKey } = Object((await call("POST", "/wallets", sepolia)).body);
      return { path: `/wallets/${id}`, keyPath: `/keys/${signingKey.id}` };
    };
    const [hers, his] = [await walletFor(ada), await walletFor(bob)];
    const requests = [
      ["path", "transfers", { ...payment, externalId: "order-1" }],
      ["path", "transactions", { kind: "Evm", to: ADDRESS, value: "1", externalId: "order-1" }],
      ["path", "signatures", { ...hash, externalId: "order-1" }],
      ["keyPath", "signatures", { ...hash, externalId: "order-2" }],
    ] as const;
    for (const [of, kind, body] of requests) {
      const made = walletOf({
        dateCreated: "",
        ...Object((await ada("POST", `${hers[of]}/${kind}`, body)).body),
      });
      const details = errorOf((await bob("POST", `${his[of]}/${kind}`, body)).body).details;
      expect(details).toMatchObject({ code: "ExternalIdConflict" });
      expect(JSON.stringify(details)).not.toContain(made.id);
      // for the end user's own request, and to the organisation, the answer says more
      const other = {
        ...body,
        ...(kind === "signatures" ? { hash: `0x${"22".repeat(32)}` } : { to: PUBLIC }),
      };
      const own = errorOf((await ada("POST", `${hers[of]}/${kind}`, other)).body).details;
      expect(own).toMatchObject({ code: "ExternalIdConflict", duplicate: { id: made.id } });
    }
  });

  it("row 16: does not learn from a 409 which wallet of another end user has the externalId", async () => {
    const call = await endUser();
    const hers = walletOf((await world.call("POST", "/wallets", { ...sepolia, externalId: "w-1" })).body);
    const his = walletOf((await call("POST", "/wallets", sepolia)).body);
    await world.database.execute("update permissions set operations = operations || '[\"Wallets:Update\"]'");
    const details = errorOf((await call("PUT", `/wallets/${his.id}`, { externalId: "w-1" })).body).details;
    expect(details).toMatchObject({ code: "ExternalIdConflict", duplicate: { externalId: "w-1" } });
    expect(JSON.stringify(details)).not.toContain(hers.id);
  });

  it("pays and signs with its own wallet, and reads what it asked for", async () => {
    const call = await endUser();
    const { id } = walletOf((await call("POST", "/wallets", sepolia)).body);
    for (const [what, body] of [
      ["transfers", payment],
      ["signatures", hash],
    ] as const) {
      const made = await call("POST", `/wallets/${id}/${what}`, body);
      const [item] = listOf((await call("GET", `/wallets/${id}/${what}`)).body).items;
      expect(await call("GET", `/wallets/${id}/${what}/${item?.id}`)).toMatchObject({
        status: 200,
        body: { id: Object(made.body).id },
      });
    }
  });
});
