import { PARTIES_MAX, partyIndex, verifyFault } from "@conclave/threshold";
import { insecureLargeEvidence, testSessionId } from "@conclave/threshold/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCertificateAuthority, makeLeaf } from "../certificates/authority.ts";
import { loadTls, makePassphrase, type Role, type TlsIdentity } from "../certificates/loading.ts";
import type { ControlHandlers } from "./generated/proto.gen.ts";
import { CONTROL } from "./proto.ts";
import { type StreamReport, toReport } from "./report.ts";
import { type RunningServer, serve } from "./server.ts";
import { SignerClient } from "./signer-client.ts";

const SIGNER = partyIndex(1) ?? expect.fail("a party's index");

let server: RunningServer;
let client: SignerClient;
/** the signer's report of any session */
let report: StreamReport;

beforeAll(async () => {
  const [now, passphrase] = [new Date(), makePassphrase()];
  const authority = await makeCertificateAuthority("evidence", now);
  const member = async (role: Role): Promise<TlsIdentity> => {
    const leaf = await makeLeaf(authority, { role, passphrase, now, days: 1 });
    const tls = loadTls({ ...leaf, authority: authority.certificate }, authority.clusterId, passphrase);
    return tls.ok ? tls.value : expect.fail(tls.problem.message);
  };
  const implementation: Pick<ControlHandlers, "Begin"> = {
    Begin: (call) => {
      call.write(toReport(report));
      call.end();
    },
  };
  const admission = { "conclave.signer.v2.Control": ["orchestrator"] } as const;
  const tls = await member({ kind: "signer", index: SIGNER });
  server = await serve("127.0.0.1:0", tls, admission, [{ definition: CONTROL, implementation }]);
  const address = `127.0.0.1:${server.port}`;
  client = new SignerClient({ index: SIGNER, address }, await member({ kind: "orchestrator" }));
});
afterAll(async () => {
  client?.close();
  await server?.stop(0);
});

test.each([5, 7, PARTIES_MAX])(
  "INV-7 a fault of a cluster of %i signers arrives with evidence that proves it",
  async (total) => {
    const { evidence, roster, culprit } = insecureLargeEvidence(total, "aux/3 Πfac");
    report = { kind: "fault", evidence };
    const heard = await new Promise<StreamReport>((resolve, reject) => {
      const command = { kind: "presigning", quorum: [SIGNER], keyId: "key-1" } as const;
      client.begin(
        { session: testSessionId("large"), lives: new Map() },
        { ...command, expiresAtMs: Date.now() + 60_000 },
        {
          report: resolve,
          lost: (reason) => reject(new Error(reason)),
        },
      );
    });
    const arrived = heard.kind === "fault" ? heard.evidence : expect.fail(`it reported ${heard.kind}`);
    expect(verifyFault(arrived, roster)).toMatchObject({ kind: "proven", culprit });
  },
);
