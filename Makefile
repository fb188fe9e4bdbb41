# `make help` lists the targets; what each needs is set up on the way.
CONCLAVE = node packages/cli/dist/main.js
VITEST = node_modules/.bin/vitest
SETUP = sh scripts/setup.sh all
LINT = GOGC=400 node_modules/.bin/tsc -p tsconfig.test.json --noEmit --checkers 1 & types=$$!; node_modules/.bin/biome check . && wait $$types

# which cluster: state lives in .conclave/$(NAME)
NAME ?= local

.DEFAULT_GOAL := help
.PHONY: help setup up down compose-test reset snapshot restore status restart start stop roster fund balance chain token refresh reprovision faults parked reconcile evidence env example first-steps demo bench test try-page fuzz chaos chaos-points simulate planted-bugs clients restores roster-changes foreign-nodes crosscheck mutants timing reference package lint format

# those who run a cluster wait for no bundles of tests
up down reset snapshot restore status restart start stop roster fund balance chain token refresh reprovision faults parked reconcile evidence env example demo: SETUP = sh scripts/setup.sh
simulate: SETUP = sh scripts/setup.sh simulator

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing (pnpm, dependencies, nats-server) and compile; quick when nothing changed
	@$(SETUP)

up: setup ## start the cluster and stay until Ctrl-C; DETACH=1 returns once it is ready, JSON=1 prints data, IMPORT=1 and EXPORT=1 let keys of clients pass, NETWORKS=Polygon,Algorand chooses networks, PORT=18000 is the gateway's port that the others follow, WALLETS=3 makes funded wallets, NODES=file names real nodes; a new cluster is of SIGNERS=5, THRESHOLD=3
	@$(CONCLAVE) up --name $(NAME) $(if $(SIGNERS),--signers $(SIGNERS)) $(if $(THRESHOLD),--threshold $(THRESHOLD)) $(if $(DETACH),--detach) $(if $(JSON),--json) $(if $(IMPORT),--allow-import) $(if $(EXPORT),--allow-export) $(if $(NETWORKS),--networks $(NETWORKS)) $(if $(PORT),--port $(PORT)) $(if $(WALLETS),--wallets $(WALLETS)) $(if $(NODES),--nodes $(NODES))

down: setup ## stop the cluster; its state stays
	@$(CONCLAVE) down --name $(NAME)

reset: setup ## stop the cluster and forget its state; asks first, or takes YES=1
	@$(CONCLAVE) reset --name $(NAME) $(if $(YES),--yes)

snapshot: setup ## keep the whole state of the stopped cluster: make snapshot SNAPSHOT=before; without it list the snapshots, JSON=1 prints data, DELETE=before deletes one
	@$(CONCLAVE) snapshot $(if $(SNAPSHOT),$(SNAPSHOT),$(if $(DELETE),--delete $(DELETE),--list $(if $(JSON),--json))) --name $(NAME)

restore: setup ## put a snapshot in place of the stopped cluster's state: make restore SNAPSHOT=before; it asks, or takes YES=1
	@$(CONCLAVE) restore $(or $(SNAPSHOT),$(error name the snapshot: make restore SNAPSHOT=before)) --name $(NAME) $(if $(YES),--yes)

status: setup ## show what runs; JSON=1 prints data
	@$(CONCLAVE) status --name $(NAME) $(if $(JSON),--json)

restart: setup ## stop one process of the running cluster and start it again: make restart PROCESS=signer-2
	@$(CONCLAVE) restart $(or $(PROCESS),$(error name the process: make restart PROCESS=signer-2)) --name $(NAME)

start: setup ## start one process of the running cluster that does not run: make start PROCESS=signer-2
	@$(CONCLAVE) start $(or $(PROCESS),$(error name the process: make start PROCESS=signer-2)) --name $(NAME)

stop: setup ## stop one process of the running cluster: make stop PROCESS=signer-2
	@$(CONCLAVE) stop $(or $(PROCESS),$(error name the process: make stop PROCESS=signer-2)) --name $(NAME)

roster: setup ## show the members of the cluster, JSON=1 prints data; CHANGE="--add 1 --remove signer-2 --threshold 4" changes them, CHANGE=again takes up a change
	@$(CONCLAVE) roster $(if $(CHANGE),change $(filter-out again,$(CHANGE)),show $(if $(JSON),--json)) --name $(NAME)

fund: setup ## pay an address out of a local network's faucet: make fund ADDRESS=… NETWORK=Algorand; AMOUNT=1.5 says how many coins, TOKEN=USDC pays a token that make token has made
	@$(CONCLAVE) fund $(or $(ADDRESS),$(error name the address: make fund ADDRESS=… NETWORK=…)) --network $(or $(NETWORK),$(error name the network: make fund ADDRESS=… NETWORK=…)) $(if $(AMOUNT),--amount $(AMOUNT)) $(if $(TOKEN),--token $(TOKEN)) --name $(NAME)

balance: setup ## show what a wallet, by its name, id or address, or any address of a local network holds: make balance WALLET=…; NETWORK=Algorand says where, JSON=1 prints data
	@$(CONCLAVE) balance $(or $(WALLET),$(error name the wallet: make balance WALLET=…)) $(if $(NETWORK),--network $(NETWORK)) $(if $(JSON),--json) --name $(NAME)

token: setup ## list the tokens of local networks; NETWORK=Polygon KIND=Erc20 makes one, SYMBOL=USDC, DECIMALS=6 and SUPPLY=1000000 say of which form
	@$(CONCLAVE) token $(if $(KIND),create --kind $(KIND) --network $(or $(NETWORK),$(error name the network: make token KIND=Erc20 NETWORK=Polygon)) $(if $(SYMBOL),--symbol $(SYMBOL)) $(if $(DECIMALS),--decimals $(DECIMALS)) $(if $(SUPPLY),--supply $(SUPPLY)),list $(if $(JSON),--json)) --name $(NAME)

chain: setup ## make blocks of a local network, date them, replace them: make chain MINE=5, ADVANCE=1h or REORGANISE=2; NETWORK=EthereumSepolia
	@$(CONCLAVE) chain $(or $(if $(MINE),mine --blocks $(MINE)),$(if $(ADVANCE),advance $(ADVANCE)),$(if $(REORGANISE),reorganise $(REORGANISE)),$(error say what: make chain MINE=5, ADVANCE=1h or REORGANISE=2)) $(if $(NETWORK),--network $(NETWORK)) --name $(NAME)

refresh: setup ## give every signer new shares of the keys, and new auxiliary information; KEY=key-… for one
	@$(CONCLAVE) refresh --name $(NAME) $(if $(KEY),--key $(KEY))

reprovision: setup ## give a signer that lost its disk its keys again: make reprovision SIGNER=signer-2
	@$(CONCLAVE) reprovision $(or $(SIGNER),$(error name the signer: make reprovision SIGNER=signer-2)) --name $(NAME)

faults: setup ## list the signers that were proved to deviate from the protocol; JSON=1 prints data, ID=7 FILE=… writes the evidence of one
	@$(CONCLAVE) faults --name $(NAME) $(if $(ID),export $(ID) $(or $(FILE),$(error name the file: make faults ID=7 FILE=evidence.json)),$(if $(JSON),--json))

parked: setup ## list the requests that failed again and again, and why; TAKE_UP=all or TAKE_UP="xfr-… tx-…" has them looked at again, JSON=1 prints data
	@$(CONCLAVE) parked --name $(NAME) $(if $(TAKE_UP),take-up $(filter-out all,$(TAKE_UP)),$(if $(JSON),--json))

reconcile: setup ## list the requests that a restored cluster may have carried out already; RULE_OUT="xfr-… tx-…" says that some were not, JSON=1 prints data
	@$(CONCLAVE) reconcile --name $(NAME) $(if $(RULE_OUT),rule-out $(RULE_OUT),$(if $(JSON),--json))

evidence: setup ## check an evidence file with the roster alone: make evidence FILE=evidence.json; ROSTER=… for another cluster
	@$(CONCLAVE) verify-evidence $(or $(FILE),$(error name the file: make evidence FILE=evidence.json)) --name $(NAME) $(if $(ROSTER),--roster $(ROSTER))

env: setup ## print what clients need, as lines for a shell to evaluate
	@$(CONCLAVE) env --name $(NAME)

example: setup ## run one of examples/ against the cluster: make example N=1
	@case $(or $(N),$(error say which: make example N=1)) in ?) number=0$(N);; *) number=$(N);; esac; \
	  file=$$(ls examples/$$number-*.ts 2>/dev/null) || { echo "there is no example $(N); there are:" >&2; ls examples/ | sed -n 's/^\([0-9][0-9]\)-\(.*\)\.ts$$/  \1 \2/p' >&2; exit 2; }; \
	  env=$$($(CONCLAVE) env --name $(NAME)) || exit $$?; eval "$$env"; node_modules/.bin/tsx "$$file"

first-steps: setup ## give README's first commands in a new clone, check each answer, and write docs/first-steps.md; JSON=file writes the time to the first transfer
	@$(if $(JSON),JSON=$(JSON)) node_modules/.bin/tsx test/first-steps/main.ts

demo: setup ## a throw-away cluster: transfers while signers are killed; FAMILIES=1 adds a transfer of each kind on each other chain family
	@$(CONCLAVE) demo $(if $(FAMILIES),--families)

bench: setup ## measure at real parameters; JSON=file writes [{name, unit, value}]
	@node_modules/.bin/tsx test/bench/family-builds.ts
	@node_modules/.bin/tsx test/bench/store-opening.ts
	@node_modules/.bin/tsx test/bench/request-changes.ts
	@node_modules/.bin/tsx test/bench/unrelated-requests.ts
	@node_modules/.bin/tsx test/bench/steady-load.ts
	@$(CONCLAVE) bench $(if $(JSON),--json $(JSON))

test: SETUP = sh scripts/setup.sh tests
test: setup ## lint, and run all tests beside; REPORT=file writes vitest's JSON report
	@{ $(LINT); } & lint=$$!; $(VITEST) run --project packages --project integration $(if $(REPORT),--reporter=default --reporter=json --outputFile.json=$(REPORT)); \
		tests=$$?; wait $$lint || { echo "make test: lint failed, see its lines above" >&2; exit 1; }; exit $$tests

long-tests: SETUP = sh scripts/setup.sh tests
long-tests: setup ## run the tests that `make test` leaves out for their time: every case of long lists, all families on real processes
	@$(VITEST) run --project long --project long-processes

compose-test: setup ## the cluster in containers: who reaches whom, what survives which death; needs a Docker engine and ends in a table
	@node_modules/.bin/tsx test/compose/main.ts

try-page: SETUP = sh scripts/setup.sh tests
try-page: setup ## try out every operation of the page at /docs in a Chromium, with each example, on a throw-away cluster; some minutes. SCRIPT=1: by the page's script alone, without a browser
	@$(if $(SCRIPT),SCRIPT=1) node_modules/.bin/tsx test/compat/page/main.ts

clients: setup ## drive with the vendor's Python client what `make test` drives with the npm one; needs python3 with pip
	@$(VITEST) run --project clients

roster-changes: setup ## members come and go, one is put out that lies, and t changes, while transfers are paid: each is paid; seven minutes
	@$(VITEST) run --project rosters

restores: setup ## put records and signers' stores back to an earlier moment under transfers of all families, in each combination: each is paid once; some 20 minutes, 40 beside other work
	@$(VITEST) run --project restores

fuzz: setup ## feed every reader of bytes STRINGS=100000 strings and the gateway REQUESTS=100000 requests, of a drawn and printed SEED
	@seed=$(or $(SEED),$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')) && echo "fuzz: SEED=$$seed" && \
		CONCLAVE_FUZZ_SEED=$$seed CONCLAVE_FUZZ_STRINGS=$(or $(STRINGS),100000) CONCLAVE_FUZZ_REQUESTS=$(or $(REQUESTS),100000) \
		$(VITEST) run any-strings.test.ts fuzz/fuzz.test.ts --testTimeout 3600000

mutants: setup ## weaken each check of the protocols by itself: some test must turn red; ONLY=text tries the edits whose path or words contain it
	@node_modules/.bin/tsx test/mutants/main.ts $(if $(ONLY),"$(ONLY)")

timing: setup ## measure whether the time of what computes with secrets depends on them; five minutes on an idle machine
	@node_modules/.bin/tsx test/timing/main.ts

chaos: setup ## break a cluster under load and check every invariant: PLAN=file, or drawn by SEED=7 for DURATION=300 seconds; REAL=1 for real parameters, KEEP=1 keeps logs and timeline of a clean run
	@$(if $(PLAN),PLAN=$(PLAN)) $(if $(SEED),SEED=$(SEED)) $(if $(DURATION),DURATION=$(DURATION)) $(if $(REAL),REAL=1) $(if $(KEEP),KEEP=1) node_modules/.bin/tsx test/chaos/main.ts

chaos-points: setup ## kill a process at every named point of its code, fail disks, move clocks, begin sessions twice and lie, one after the other
	@$(VITEST) run --project chaos-points

same-worlds: setup ## run worlds of the seeds from SEED=1 on this Node and on others, NODES="/path/to/node22 /path/to/node24", and compare what each process asked, and when: WORLDS=10
	@NODES="$(or $(NODES),$(error name other Nodes: make same-worlds NODES="/path/to/node22 /path/to/node24"))" $(if $(SEED),SEED=$(SEED)) $(if $(WORLDS),WORLDS=$(WORLDS)) node_modules/.bin/tsx test/simulator/same-worlds.ts

simulate: setup ## run simulated clusters for MINUTES=1, each from one number, and check every invariant: SEED=7, WORLDS=10, PLAN=file, SIGNERS=5, THRESHOLD=3, TRANSFERS=16, PROFILE=calm, rough or hostile; CORES=2 at a time, by default all; SHRINK=0 leaves plans of failed worlds as they are; SOMETIMES=500 worlds must reach each rare path
	@$(if $(SEED),SEED=$(SEED)) $(if $(WORLDS),WORLDS=$(WORLDS)) $(if $(MINUTES),MINUTES=$(MINUTES)) $(if $(PLAN),PLAN=$(PLAN)) $(if $(SIGNERS),SIGNERS=$(SIGNERS)) $(if $(THRESHOLD),THRESHOLD=$(THRESHOLD)) $(if $(TRANSFERS),TRANSFERS=$(TRANSFERS)) $(if $(CORES),CORES=$(CORES)) $(if $(SHRINK),SHRINK=$(SHRINK)) $(if $(SOMETIMES),SOMETIMES=$(SOMETIMES)) $(if $(PROFILE),PROFILE=$(PROFILE)) node packages/simulator/dist/bundle/main.js

planted-bugs: setup ## plant bugs in the sources as worlds load them, and say which world of WORLDS=30 finds each: BUGS=3,6 (0 is none), PROFILE=hostile, SEED=1, CORES=1
	@$(if $(BUGS),BUGS='$(BUGS)') $(if $(WORLDS),WORLDS=$(WORLDS)) $(if $(PROFILE),PROFILE=$(PROFILE)) $(if $(SEED),SEED=$(SEED)) $(if $(CORES),CORES=$(CORES)) node_modules/.bin/tsx --conditions source test/planted-bugs/main.ts

foreign-nodes: setup ## try nodes and libraries that others made, where this machine has them (docs/chains.md), and write their table; ONLY=geth,bitcoind tries some, and writes nothing
	@$(if $(ONLY),CONCLAVE_FOREIGN=$(ONLY)) node_modules/.bin/tsx test/foreign-nodes/main.ts

crosscheck: setup ## hand shares, auxiliary information and presignatures to the Rust crate cggmp24, which signs with them, and compare; needs cargo, ends in a table
	@node_modules/.bin/tsx test/crosscheck/main.ts

reference: setup ## write the public API of packages/threshold and packages/testbed, with its comments, to .conclave/reference
	@node_modules/.bin/tsx scripts/reference/main.ts

package: SETUP = sh scripts/setup.sh
package: setup ## pack the program for `npx conclave up` without a clone: .conclave/conclave-<version>.tgz, which npm installs
	@node_modules/.bin/tsx scripts/package/main.ts

# --checkers: another one would learn again what the first one knows; GOGC: collecting garbage less often takes some 200 MB more
lint: setup ## check format, lint rules and the types of tests
	@$(LINT)

format: setup ## format everything
	@node_modules/.bin/biome check --write .
