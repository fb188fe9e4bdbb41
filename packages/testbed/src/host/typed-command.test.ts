import { join } from "node:path";
import { expect, it } from "vitest";
import { clustersFolder } from "./installation.ts";
import { typedAbout, typedByName, typedCommand } from "./typed-command.ts";

it.each([
  [["up"], "make up", "npx conclave up"],
  [["down", "second"], "make down NAME=second", "npx conclave down --name second"],
  [
    ["fund", "second", { ADDRESS: "…", NETWORK: "Algorand" }],
    "make fund ADDRESS=… NETWORK=Algorand NAME=second",
    "npx conclave fund … --network Algorand --name second",
  ],
  [["start", "local", { PROCESS: "signer-2" }], "make start PROCESS=signer-2", "npx conclave start signer-2"],
  [
    ["reprovision", "local", { SIGNER: "signer-2" }],
    "make reprovision SIGNER=signer-2",
    "npx conclave reprovision signer-2",
  ],
  [
    ["reset", "second", { YES: "1" }],
    "make reset YES=1 NAME=second",
    "npx conclave reset --yes --name second",
  ],
] as const)(
  "types %j in a clone as %j, and from the package as %j",
  ([target, name, settings], make, npx) => {
    expect(typedCommand(target, name, settings, "make")).toBe(make);
    expect(typedCommand(target, name, settings, "npx conclave")).toBe(npx);
    expect(typedCommand(target, name, settings, "conclave")).toBe(npx.slice("npx ".length));
    // this test runs in a clone
    expect(typedCommand(target, name, settings)).toBe(make);
  },
);

it("names a cluster by its name where it has one, and else by its folder", () => {
  const named = join(clustersFolder(), "second");
  const restore = { SNAPSHOT: "first", YES: "1" };
  expect(typedAbout("restore", named, restore, "make")).toBe("make restore SNAPSHOT=first YES=1 NAME=second");
  expect(typedAbout("restore", "/srv/second", restore, "make")).toBe(
    "conclave restore first --yes --state /srv/second",
  );
  expect(typedAbout("restore", "/srv/a b's", restore, "npx conclave")).toBe(
    "npx conclave restore first --yes --state '/srv/a b'\\''s'",
  );
  expect(typedByName("up", named, {}, "make")).toBe("make up NAME=second");
  expect(typedByName("up", "/srv/second")).toBeUndefined();
});
