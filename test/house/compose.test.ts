import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FAMILIES } from "@conclave/chains";
import { LOCAL_NETWORKS } from "@conclave/testbed";
import { repositoryRoot } from "@conclave/testbed/launch";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const settings = z.record(z.string(), z.string());
const serviceSchema = z.looseObject({
  image: z.string(),
  build: z.looseObject({ target: z.string() }).optional(),
  environment: settings.default({}),
  networks: z.array(z.string()).default([]),
  network_mode: z.string().optional(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  secrets: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  pull_policy: z.string().optional(),
  user: z.string().optional(),
  command: z.array(z.string()).default([]),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
});
const fileSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })),
  secrets: z.record(z.string(), z.looseObject({ file: z.string() })),
  volumes: z.record(z.string(), z.null()),
});

const read = (...path: readonly string[]): string => readFileSync(join(repositoryRoot(), ...path), "utf8");
const { services, networks, secrets, volumes } = fileSchema.parse(
  parse(read("deploy", "compose.yaml"), { merge: true, maxAliasCount: -1 }),
);
const dockerfile = read("deploy", "Dockerfile");

const named = Object.entries(services);
const signers = named.filter(([name]) => name.startsWith("signer-"));
const ledgers = named.filter(([, { build }]) => build?.target === "ledger");
/** services that run until they are stopped */
const running = named.filter(([, { profiles }]) => !profiles.includes("operator"));
const kindOf = (name: string): string => name.replace(/-\d$/, "");
const configOf = (kind: string): string =>
  kind === "ledger"
    ? read("services", "ledger", "src", "config.ts")
    : read("packages", kind, "src", "config.ts");
const portOf = ({ environment }: z.infer<typeof serviceSchema>) =>
  environment["CONCLAVE_LISTEN"]?.split(":")[1];

describe("the containers of deploy/compose.yaml", () => {
  it.each(named)("%s may do no more than it needs", (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      pids_limit: expect.any(Number),
      mem_limit: expect.any(String),
      logging: { options: { "max-size": expect.any(String) } },
    });
  });

  it.each(named)("%s is made here and never fetched, or is a pinned image of others", (_, service) => {
    if (!service.image.startsWith("conclave/")) {
      expect(service.image).toMatch(/:-[a-z]+:\d+\.\d+\}$/);
      return;
    }
    expect(service.pull_policy).toBe("never");
    expect(dockerfile).toContain(` AS ${service.build?.target}\n`);
    expect(service.image).toBe(`conclave/${service.build?.target}`);
  });

  it.each(["gateway", "orchestrator", ...[...signers, ...ledgers].map(([name]) => name)])(
    "%s knows all its settings",
    (name) => {
      const config = configOf(services[name]?.build?.target ?? "");
      const known = Object.keys(services[name]?.environment ?? {}).filter(
        (setting) =>
          !new RegExp(
            `^  ${setting.replace(/^(DATABASE_PASSWORD|CONCLAVE_NATS_TOKEN)_FILE$/, "$1")}: `,
            "m",
          ).test(config),
      );
      expect(known).toEqual([]);
    },
  );

  it.each(running)("%s has a light health check, of the port that it listens on", (_, service) => {
    const test = service.healthcheck?.test.join(" ") ?? "none";
    expect(test).toMatch(/^CMD health /);
    expect(test).not.toMatch(/\bnode\b/);
    const port = portOf(service);
    if (port !== undefined) expect(test).toContain(`/dev/tcp/127.0.0.1/${port}`);
  });

  it.each(named)("%s publishes on loopback alone, and what it mounts is there", (_, service) => {
    for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const volume of service.volumes) {
      const [source = ""] = volume.split(":");
      if (source.startsWith("./")) expect(read("deploy", source)).not.toBe("");
      else expect(Object.keys(volumes)).toContain(source);
    }
    for (const secret of service.secrets) expect(Object.keys(secrets)).toContain(secret);
  });

  it("take no port of the host twice", () => {
    const taken = named.flatMap(([, { ports }]) =>
      ports.map((port) => port.split(":").slice(0, 2).join(":")),
    );
    expect(taken).toHaveLength(new Set(taken).size);
  });

  it("have their secrets in files, and none in an address, an argument or a variable", () => {
    for (const [name, { environment }] of named) {
      const texts = Object.entries(environment).filter(
        ([setting, value]) =>
          (/PASSWORD|TOKEN|PASSPHRASE/.test(setting) && !setting.endsWith("_FILE")) ||
          /:\/\/[^/@]*:[^/@]*@/.test(value),
      );
      expect([name, texts]).toEqual([name, []]);
    }
  });
});

describe("the simulated nodes of deploy/compose.yaml", () => {
  it("are one of each family that is built, but EVM's, which is anvil", () => {
    const families = ledgers.map(
      ([, { profiles }]) => LOCAL_NETWORKS.find(({ network }) => profiles.includes(network))?.family,
    );
    const others = FAMILIES.families.map(({ name }) => name).filter((name) => name !== "Evm");
    expect(families.sort()).toEqual(others.sort());
  });

  it.each(ledgers)(
    "%s runs by the name of its network, where `provision` says that it is, with the chain that is named there",
    (name, { profiles, environment, networks: zones, volumes: mounted }) => {
      const local = LOCAL_NETWORKS.find(({ network }) => profiles.includes(network));
      expect(profiles).toEqual([local?.network]);
      expect(name).toBe(local?.process.toLowerCase());
      const seed = services["provision"]?.command.at(-1);
      expect(services["provision"]?.command.slice(-2)).toEqual(["--seed", seed]);
      expect(environment).toEqual({
        ...local?.chainSettings,
        CONCLAVE_LISTEN: "0.0.0.0:4001",
        CONCLAVE_LEDGER_DIR: "/ledger",
        CONCLAVE_SEED: seed,
      });
      expect([zones, mounted]).toEqual([["chain"], [`${name}:/ledger`]]);
    },
  );
});

const overrideSchema = z.looseObject({
  services: z.record(
    z.string(),
    z
      .looseObject({ environment: settings.default({}), networks: z.array(z.string()).default([]) })
      .nullable(),
  ),
  secrets: z.record(z.string(), z.looseObject({ file: z.string() })).default({}),
});
/** Parses an override file. Compose's tags `!reset` and `!override` only drop earlier values, so they are removed first. */
const overrideOf = (file: string) =>
  overrideSchema.parse(parse(read("deploy", file).replace(/!(reset|override)/g, ""), { merge: true }));

describe.each(["compose.production.yaml", "compose.external.yaml"])("deploy/%s", (file) => {
  const override = overrideOf(file);

  it("changes services that there are, by settings that they know", () => {
    for (const [name, changed] of Object.entries(override.services)) {
      expect(Object.keys(services)).toContain(name);
      const { build, environment } = services[name] ?? expect.fail();
      const config = ["gateway", "orchestrator"].includes(name)
        ? configOf(build?.target ?? "")
        : JSON.stringify(environment);
      for (const setting of Object.keys(changed?.environment ?? {})) expect(config).toContain(setting);
    }
  });

  it("holds no secret, and no signer leaves the mesh by it", () => {
    for (const [name, changed] of Object.entries(override.services)) {
      expect(name).not.toMatch(/^signer-/);
      for (const value of Object.values(changed?.environment ?? {})) {
        expect(value).not.toMatch(/:\/\/[^/@]*:[^/@]*@/);
      }
    }
  });
});

describe("the required settings of deploy/compose.production.yaml and deploy/compose.external.yaml", () => {
  it("are every secret, and every address without a default", () => {
    const { secrets: demanded, services: inEarnest } = overrideOf("compose.production.yaml");
    expect(Object.keys(demanded).sort()).toEqual(Object.keys(secrets).sort());
    for (const { file } of Object.values(demanded))
      expect(file).toMatch(/^\$\{CONCLAVE_SECRETS(:\?[^}]+)?\}\//);
    expect(inEarnest["gateway"]?.environment).toMatchObject({
      CONCLAVE_USER_ACTIONS: "required",
      CONCLAVE_PRIVATE_WEBHOOKS: "refused",
      CONCLAVE_RELYING_PARTIES: expect.stringContaining(":?"),
    });
    expect(inEarnest["orchestrator"]?.environment).toEqual({ CONCLAVE_PRIVATE_WEBHOOKS: "refused" });
    const { services: elsewhere } = overrideOf("compose.external.yaml");
    for (const name of ["gateway", "orchestrator", "operator", "backup"]) {
      expect(elsewhere[name]?.environment["DATABASE_URL"]).toContain(":?");
    }
    expect(elsewhere["gateway"]?.environment["CONCLAVE_NATS_URL"]).toContain(":?");
  });
});

describe("INV-1 the zones of deploy/compose.yaml", () => {
  it("lead out of none of the zones of signers, records and the bus", () => {
    for (const zone of ["data", "bus", "mesh"]) expect(networks[zone]?.internal).toBe(true);
  });

  it.each(signers)(
    "%s is on the mesh alone, publishes nothing, and mounts its own volume and the public files",
    (name, service) => {
      expect(service.networks).toEqual(["mesh"]);
      expect(service.ports).toEqual([]);
      expect(service.volumes).toEqual(["cluster:/cluster:ro", `${name}:/signer`]);
    },
  );

  it("put nobody on the mesh but signers, the orchestrator and the operator", () => {
    const onMesh = named
      .filter(([, service]) => service.networks.includes("mesh"))
      .map(([name]) => kindOf(name));
    expect(new Set(onMesh)).toEqual(new Set(["signer", "orchestrator", "operator"]));
  });

  it("let only the services that need them reach the database and the bus", () => {
    const on = (zone: string) =>
      named.filter(([, service]) => service.networks.includes(zone)).map(([name]) => name);
    expect(on("data").sort()).toEqual([
      "backup",
      "developer",
      "gateway",
      "operator",
      "orchestrator",
      "postgres",
    ]);
    expect(on("bus").sort()).toEqual(["gateway", "nats", "orchestrator"]);
  });

  it("show all signers' volumes only to the service that makes them, which has no network and runs on request", () => {
    const mounting = named.filter(([, service]) =>
      service.volumes.some((volume) => volume.startsWith("signer-")),
    );
    const others = mounting.filter(([name]) => !name.startsWith("signer-"));
    expect(others.map(([name]) => name)).toEqual(["provision"]);
    expect(services["provision"]).toMatchObject({ network_mode: "none", profiles: ["operator"] });
  });

  it("let an operator write files by a service that has neither a signer's store nor a network", () => {
    expect(services["files"]).toMatchObject({ network_mode: "none", profiles: ["operator"], networks: [] });
    expect(services["files"]?.volumes).toEqual(
      ["cluster", "gateway", "orchestrator"].map((volume) => `${volume}:/state/${volume}`),
    );
  });
});
