import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type BitcoinWorld,
  bitcoinTestKey,
  fieldOf,
  signedPayment,
  startBitcoinWorld,
} from "../testing/bitcoin-world.ts";

const [ALICE, BOB] = [bitcoinTestKey(1), bitcoinTestKey(2)];

let world: BitcoinWorld;

beforeEach(async () => {
  world = await startBitcoinWorld();
});

afterEach(() => world[Symbol.asyncDispose]());

describe("JSON-RPC", () => {
  it("answers a call with result, error and id, and an error with its status", async () => {
    expect(await world.post({ id: "a", method: "getblockcount", params: [] })).toEqual({
      status: 200,
      body: { result: 0, error: null, id: "a" },
    });
    expect(await world.post({ id: 7, method: "getblock", params: ["ab".repeat(32)] })).toEqual({
      status: 500,
      body: { result: null, error: { code: -5, message: "Block not found" }, id: 7 },
    });
  });

  it("answers version 2 with status 200 always, and a notification with nothing", async () => {
    const call = { jsonrpc: "2.0", method: "getblockhash", params: [5] };
    expect(await world.post({ ...call, id: 1 })).toEqual({
      status: 200,
      body: { jsonrpc: "2.0", error: { code: -8, message: "Block height out of range" }, id: 1 },
    });
    expect(await world.post(call)).toEqual({ status: 204, body: undefined });
  });

  it("answers several calls in one, in their order, errors among them", async () => {
    const { status, body } = await world.post([
      { id: 1, method: "getblockcount" },
      { id: 2, method: "nonsense" },
      { jsonrpc: "2.0", id: 3, method: "getbestblockhash" },
      "nothing",
    ]);
    expect(status).toBe(200);
    expect(body).toEqual([
      { result: 0, error: null, id: 1 },
      { result: null, error: { code: -32601, message: "Method not found" }, id: 2 },
      { jsonrpc: "2.0", result: expect.stringMatching(/^[0-9a-f]{64}$/), id: 3 },
      { result: null, error: { code: -32600, message: "Invalid Request object" }, id: null },
    ]);
    expect(await world.post([])).toEqual({ status: 200, body: [] });
  });

  it("takes parameters by name", async () => {
    const hash = await world.rpc("getblockhash", 0);
    const call = { id: 1, method: "getblockheader", params: { verbose: false, blockhash: hash } };
    expect(fieldOf((await world.post(call)).body, "result")).toMatch(/^[0-9a-f]{160}$/);
  });

  it.each<[string, unknown, number, number, string]>([
    ["no object", "text", 500, -32700, "Top-level object parse error"],
    ["no method", { id: 1 }, 400, -32600, "Missing method"],
    ["a method that is no text", { id: 1, method: 5 }, 400, -32600, "Method must be a string"],
    [
      "parameters that are none",
      { id: 1, method: "getblockcount", params: "a" },
      400,
      -32600,
      "Params must be an array or object",
    ],
    ["no such method", { id: 1, method: "toString" }, 404, -32601, "Method not found"],
  ])("refuses %s", async (_, request, status, code, message) => {
    const answer = await world.post(request);
    expect(answer).toMatchObject({ status, body: { error: { code, message } } });
  });

  it("refuses what is no JSON, too many calls, too long a body, and other methods of HTTP", async () => {
    const answer = await fetch(world.url, { method: "POST", body: "{" });
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { result: null, error: { code: -32700, message: "Parse error" }, id: null },
    ]);
    const calls = Array.from({ length: 1_001 }, (_, id) => ({ id, method: "getblockcount" }));
    expect(await world.post(calls)).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
    const long = await fetch(world.url, { method: "POST", body: " ".repeat(4 * 1024 * 1024 + 1) });
    expect(long.status).toBe(413);
    const get = await fetch(world.url);
    expect([get.status, await get.text()]).toEqual([405, "JSONRPC server handles only POST requests"]);
  });
});

describe("parameters that make no sense are refused in a node's words", () => {
  const HASH = "ab".repeat(32);

  it.each<[string, readonly unknown[], number, string]>([
    ["getblockhash", [], -1, "getblockhash height"],
    ["getblockhash", [1, 2], -1, "getblockhash height"],
    [
      "getblockhash",
      ["1"],
      -3,
      'Position 1 (height)": "JSON value of type string is not of expected type number',
    ],
    ["getblockhash", [-1], -8, "Block height out of range"],
    ["getblock", ["ab"], -8, "blockhash must be of length 64 (not 2, for 'ab')"],
    ["getblock", ["zz".repeat(32)], -8, "blockhash must be hexadecimal string (not 'zz"],
    [
      "getrawtransaction",
      [HASH],
      -5,
      "No such mempool or blockchain transaction. Use gettransaction for wallet transactions.",
    ],
    ["getrawtransaction", [HASH, 1, HASH], -5, "Block hash not found"],
    ["getmempoolentry", [HASH], -5, "Transaction not in mempool"],
    ["gettxspendingprevout", [[]], -8, "Invalid parameter, outputs are missing"],
    ["getrawmempool", [true, true], -8, "Verbose results cannot contain mempool sequence values."],
    ["scantxoutset", ["start"], -1, "scanobjects argument is required for the start action"],
    ["scantxoutset", ["stop", []], -8, "Invalid action 'stop'"],
    ["scantxoutset", ["start", ["addr(nobody)"]], -5, "Address is not valid"],
    ["scantxoutset", ["start", ["raw(zz)"]], -5, "Raw script is not hex"],
    [
      "scantxoutset",
      ["start", ["raw(51)#aaaaaaaa"]],
      -5,
      "Provided checksum 'aaaaaaaa' does not match computed checksum",
    ],
    ["scantxoutset", ["start", ["combo(02)"]], -5, "scans for addr(…) and raw(…) only, not for combo(…)"],
    ["estimatesmartfee", [0], -8, "Invalid conf_target, must be between 1 and 1008"],
    [
      "estimatesmartfee",
      [6, "soon"],
      -8,
      'Invalid estimate_mode parameter, must be one of: "unset", "economical", "conservative"',
    ],
    ["generatetoaddress", [1, "nobody"], -5, "Error: Invalid address"],
    ["sendrawtransaction", ["00", "much"], -3, "Invalid amount"],
    ["sendrawtransaction", ["00", -1], -3, "Amount out of range"],
    ["sendrawtransaction", ["00", {}], -3, "Amount is not a number or string"],
    ["testmempoolaccept", [[]], -8, "Array must contain between 1 and 25 transactions."],
    ["decoderawtransaction", ["00"], -22, "TX decode failed"],
  ])("%s %j", async (method, parameters, code, words) => {
    const refusal = await world.refusal(method, ...parameters);
    expect(refusal).toMatchObject({ status: 500, code, message: expect.stringContaining(words) });
  });

  it("a parameter that no method has by that name", async () => {
    const answer = await world.post({ id: 1, method: "getblockhash", params: { hight: 1 } });
    expect(answer.body).toMatchObject({ error: { code: -8, message: "Unknown named parameter hight" } });
  });
});

describe("credentials", () => {
  it("are asked of every call, if there are any", async () => {
    await using guarded = await startBitcoinWorld({ token: "user:secret" });
    expect(await guarded.rpc("getblockcount")).toBe(0);
    for (const authorization of ["", `Basic ${btoa("user:guess")}`, "Bearer secret"]) {
      const answer = await fetch(guarded.url, {
        method: "POST",
        headers: { authorization },
        body: JSON.stringify({ id: 1, method: "getblockcount" }),
      });
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="jsonrpc"']);
    }
  });
});

describe("fees", () => {
  it("are estimated by the number of blocks, at least two", async () => {
    expect(await world.rpc("estimatesmartfee", 1)).toEqual({ feerate: 0.0002, blocks: 2 });
    expect(await world.rpc("estimatesmartfee", 6, "CONSERVATIVE")).toEqual({ feerate: 0.0001, blocks: 6 });
    expect(await world.rpc("estimatesmartfee", 1_008)).toEqual({ feerate: 0.00002, blocks: 1_008 });
  });

  it("are not estimated on a young chain, whose answer has no rate", async () => {
    await world.admin("set-fees", { young: true });
    expect(await world.rpc("estimatesmartfee", 6)).toEqual({
      errors: ["Insufficient data or no feerate found"],
      blocks: 6,
    });
  });

  it("are never estimated below what the node takes", async () => {
    await world.admin("set-fees", { minimumRelay: 50_000 });
    expect(await world.rpc("estimatesmartfee", 144)).toEqual({ feerate: 0.0005, blocks: 144 });
    expect(await world.rpc("getmempoolinfo")).toMatchObject({ mempoolminfee: 0.0005, minrelaytxfee: 0.0005 });
    expect(await world.rpc("getnetworkinfo")).toMatchObject({ relayfee: 0.0005, incrementalfee: 0.00001 });
  });
});

describe("coins and transactions are shown as nodes show them", () => {
  it("a scan finds coins by address and by script, with a checksum or without", async () => {
    const coin = await world.fund(ALICE.p2tr, 123_456);
    const script = Buffer.from(coin.script).toString("hex");
    const found = {
      success: true,
      height: 1,
      total_amount: 0.00123456,
      unspents: [
        { txid: coin.txid, vout: coin.index, scriptPubKey: script, coinbase: false, confirmations: 1 },
      ],
    };
    expect(await world.rpc("scantxoutset", "start", [`addr(${ALICE.p2tr})`])).toMatchObject(found);
    expect(await world.rpc("scantxoutset", "start", [{ desc: `raw(${script})` }])).toMatchObject(found);
    const desc = fieldOf(await world.rpc("gettxout", coin.txid, coin.index), "scriptPubKey");
    expect(await world.rpc("scantxoutset", "start", [fieldOf(desc, "desc")])).toMatchObject(found);
    expect(await world.rpc("scantxoutset", "status")).toBe(null);
  });

  it("a checksum is the one that BIP-380 publishes", async () => {
    const refusal = await world.refusal("scantxoutset", "start", ["raw(deadbeef)#aaaaaaaa"]);
    expect(refusal.message).toContain("computed checksum '89f8spxm'");
  });

  it("a transaction is decoded whole, whether it is known or not", async () => {
    const coin = await world.fund(ALICE.nested, 100_000);
    const raw = signedPayment(ALICE, [coin], BOB.p2pkh);
    const decoded = {
      version: 2,
      locktime: 0,
      vin: [
        {
          txid: coin.txid,
          vout: coin.index,
          sequence: 0xfffffffd,
          txinwitness: [expect.any(String), expect.any(String)],
        },
      ],
      vout: [
        {
          value: 0.00099,
          n: 0,
          scriptPubKey: {
            type: "pubkeyhash",
            address: BOB.p2pkh,
            asm: expect.stringMatching(/^OP_DUP OP_HASH160 [0-9a-f]{40} OP_EQUALVERIFY OP_CHECKSIG$/),
          },
        },
      ],
    };
    expect(await world.rpc("decoderawtransaction", raw)).toMatchObject(decoded);
    const txid = await world.rpc("sendrawtransaction", raw);
    await world.mine();
    const hash = await world.rpc("getbestblockhash");
    expect(await world.rpc("getrawtransaction", txid, 1, hash)).toMatchObject({
      ...decoded,
      in_active_chain: true,
      blockhash: hash,
      confirmations: 1,
    });
    expect(
      (await world.refusal("getrawtransaction", txid, 1, await world.rpc("getblockhash", 0))).message,
    ).toBe("No such transaction found in the provided block. Use gettransaction for wallet transactions.");
  });

  it.each<[string, string, string]>([
    ["main", "main", "bc1"],
    ["test", "test", "tb1"],
    ["testnet3", "test", "tb1"],
    ["testnet4", "testnet4", "tb1"],
    ["signet", "signet", "tb1"],
    ["regtest", "regtest", "bcrt1"],
  ])("a ledger of %s calls itself %s, and its addresses begin with %s", async (chain, name, prefix) => {
    await using other = await startBitcoinWorld({ chain });
    expect(await other.rpc("getblockchaininfo")).toMatchObject({ chain: name });
    const genesis = await other.rpc("getblock", await other.rpc("getblockhash", 0), 2);
    expect(JSON.stringify(genesis)).toContain(`"address":"${prefix}`);
  });

  it("there is no ledger of another network", async () => {
    await expect(startBitcoinWorld({ chain: "toString" })).rejects.toThrow(
      "there is no Bitcoin network toString; there are: main, test, testnet3, testnet4, signet, regtest",
    );
  });
});
