import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const movementType = `
CREATE TYPE movement AS (
  place integer, kind text, charge_id uuid, account_id uuid, environment text, endpoint text, mode text,
  platforms text[], price bigint, amount bigint, outcomes jsonb, cached boolean, memo text, claim uuid,
  "check" json, reply json
)`

const postMovements = `
CREATE FUNCTION post_movements(batch json, OUT verdicts text[], OUT balances bigint[]) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  items movement[];
  locked wallets[];
  won integer[];
  topping boolean;
  ending boolean;
  claiming boolean;
  recording boolean;
  moment timestamptz;
  stamp text;
  m movement;
  w wallets;
  at integer := 1;
  kinds text[];
  amounts bigint[];
  debit text;
  credit text;
  changed wallets[] := '{}';
  entered ledger_entries[] := '{}';
  opened charges[] := '{}';
BEGIN
  -- The movements by wallet, those of one wallet in the order they came. A charge never changes wallet, price or claim.
  SELECT array_agg(s::movement), bool_or(s.kind = 'topup'), bool_or(s.kind IN ('settle', 'void')),
    bool_or(s.kind IN ('settle', 'charge') AND s.claim IS NOT NULL), bool_or(s."check" IS NOT NULL)
  INTO items, topping, ending, claiming, recording
  FROM (
    SELECT i.ordinality::integer AS place, i.kind, i.charge_id, coalesce(i.account_id, c.account_id) AS account_id,
      coalesce(i.environment, c.environment) AS environment, i.endpoint, i.mode, i.platforms,
      coalesce(i.price, c.price) AS price, i.amount, i.outcomes, i.cached, i.memo, coalesce(i.claim, c.claim) AS claim,
      i."check", i.reply
    FROM json_populate_recordset(NULL::movement, batch) WITH ORDINALITY i
    LEFT JOIN charges c ON c.id = CASE WHEN i.account_id IS NULL THEN i.charge_id END
    ORDER BY 4, 5, 1
  ) s;
  IF items IS NULL THEN
    RETURN;
  END IF;
  verdicts := array_fill('refused'::text, ARRAY[cardinality(items)]);
  balances := array_fill(0::bigint, ARRAY[cardinality(items)]);

  IF topping THEN
    INSERT INTO wallets (account_id, environment)
    SELECT DISTINCT i.account_id, i.environment FROM unnest(items) i WHERE i.kind = 'topup' ON CONFLICT DO NOTHING;
  END IF;

  -- Every batch locks its wallets, then its claims, each in one order: batches wait for each other, never in a circle.
  SELECT array_agg(x) INTO locked FROM (
    SELECT x FROM wallets x
    JOIN (SELECT DISTINCT i.account_id, i.environment FROM unnest(items) i) k USING (account_id, environment)
    ORDER BY account_id, environment FOR UPDATE OF x
  ) s;
  IF claiming THEN
    PERFORM FROM replies r WHERE r.token IN (SELECT i.claim FROM unnest(items) i) ORDER BY r.token FOR UPDATE;
  END IF;

  -- From here on nothing of these wallets changes but by this batch, and this is the time at which it happens.
  moment := clock_timestamp();
  stamp := to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

  IF ending THEN
    WITH ended AS (
      UPDATE charges c SET state = CASE i.amount WHEN 0 THEN 'voided' ELSE 'settled' END, amount = i.amount,
        outcomes = i.outcomes, cached = i.cached, finished_at = moment
      FROM unnest(items) i
      WHERE i.kind IN ('settle', 'void') AND c.id = i.charge_id AND c.state = 'held'
        AND (i.kind = 'void' OR c.claim IS NULL OR EXISTS (
          SELECT FROM replies r WHERE r.token = c.claim AND r.status IS NULL))
      RETURNING i.place
    ) SELECT array_agg(place) INTO won FROM ended;
  END IF;

  FOREACH w IN ARRAY coalesce(locked, '{}') LOOP
    WHILE (items[at]).account_id < w.account_id
      OR ((items[at]).account_id = w.account_id AND (items[at]).environment < w.environment) LOOP
      at := at + 1;
    END LOOP;
    LOOP
      m := items[at];
      EXIT WHEN m.account_id IS DISTINCT FROM w.account_id OR m.environment <> w.environment;
      at := at + 1;
      balances[m.place] := w.available;
      IF m.price <= 0 OR m.amount > m.price OR m.amount < (m.kind IN ('topup', 'charge'))::integer THEN
        RAISE EXCEPTION 'a % of % at a price of % is no movement', m.kind, m.amount, m.price;
      END IF;

      IF m.kind = 'hold' THEN
        CONTINUE WHEN w.available < m.price;
        kinds := '{hold}'; amounts := ARRAY[m.price];
      ELSIF m.kind IN ('settle', 'void') THEN
        CONTINUE WHEN won IS NULL OR m.place <> ALL (won);
        kinds := '{capture,release}'; amounts := ARRAY[m.amount, m.price - m.amount];
      ELSIF m.kind = 'charge' THEN
        CONTINUE WHEN w.available < m.price;
        IF m.claim IS NOT NULL AND NOT EXISTS (SELECT FROM replies r WHERE r.token = m.claim AND r.status IS NULL) THEN
          verdicts[m.place] := 'fenced';
          CONTINUE;
        END IF;
        kinds := '{charge}'; amounts := ARRAY[m.amount];
      ELSE
        verdicts[m.place] := 'done';
        IF m.memo IS NOT NULL THEN
          INSERT INTO topups VALUES (m.account_id, m.environment, m.memo) ON CONFLICT DO NOTHING;
          CONTINUE WHEN NOT FOUND;
        END IF;
        kinds := '{topup}'; amounts := ARRAY[m.amount];
      END IF;
      IF m.endpoint IS NOT NULL THEN
        opened := opened || ROW(m.charge_id, m.account_id, m.environment, w.entries + 1, m.endpoint, m.mode, m.platforms,
          m.price, CASE m.kind WHEN 'hold' THEN 'held' ELSE 'settled' END, m.amount, m.outcomes, m.cached, m.claim,
          moment + interval '150 seconds', moment, CASE m.kind WHEN 'charge' THEN moment END)::charges;
      END IF;

      FOR leg IN 1 .. cardinality(kinds) LOOP
        CONTINUE WHEN amounts[leg] = 0;
        CASE kinds[leg]
          WHEN 'hold' THEN
            debit := 'available'; credit := 'held';
            w.available := w.available - amounts[leg]; w.held := w.held + amounts[leg];
          WHEN 'capture' THEN
            debit := 'held'; credit := 'revenue';
            w.held := w.held - amounts[leg];
          WHEN 'release' THEN
            debit := 'held'; credit := 'available';
            w.held := w.held - amounts[leg]; w.available := w.available + amounts[leg];
          WHEN 'charge' THEN
            debit := 'available'; credit := 'revenue';
            w.available := w.available - amounts[leg];
          WHEN 'topup' THEN
            debit := 'topups'; credit := 'available';
            w.available := w.available + amounts[leg];
        END CASE;
        w.entries := w.entries + 1;
        w.head := sha256(w.head || convert_to(concat_ws('|', m.account_id, m.environment, w.entries,
          coalesce(m.charge_id::text, ''), kinds[leg], debit, credit, amounts[leg], w.available, w.held, stamp,
          coalesce(m.memo, '')), 'UTF8'));
        entered := entered || ROW(m.account_id, m.environment, w.entries, m.charge_id, kinds[leg], debit, credit,
          amounts[leg], w.available, w.held, m.memo, moment, w.head)::ledger_entries;
      END LOOP;
      verdicts[m.place] := 'done';
      balances[m.place] := w.available;
    END LOOP;
    changed := changed || w;
  END LOOP;

  IF cardinality(entered) = 0 THEN
    RETURN;
  END IF;
  UPDATE wallets SET available = u.available, held = u.held, entries = u.entries, head = u.head
  FROM unnest(changed) u WHERE wallets.account_id = u.account_id AND wallets.environment = u.environment;
  INSERT INTO ledger_entries SELECT * FROM unnest(entered);
  IF cardinality(opened) > 0 THEN
    INSERT INTO charges SELECT * FROM unnest(opened);
  END IF;
  IF recording THEN
    INSERT INTO checks
    SELECT k.id, c.id, c.account_id, c.environment, c.mode, k.query, k.brand, k.request::json, k.result::json, moment, k."durationMs"
    FROM unnest(items) i JOIN charges c ON c.id = i.charge_id CROSS JOIN LATERAL json_to_record(i."check")
      AS k (id uuid, query text, brand text, request text, result text, "durationMs" integer)
    WHERE i."check" IS NOT NULL AND verdicts[i.place] = 'done';
  END IF;
  IF claiming THEN
    UPDATE replies r SET status = k.status, headers = k.headers, balance_header = k."balanceHeader", head = k.head,
      tail = k.tail, balance = balances[i.place]
    FROM unnest(items) i CROSS JOIN LATERAL json_to_record(i.reply)
      AS k (status integer, headers json, "balanceHeader" text, head text, tail text)
    WHERE i.reply IS NOT NULL AND r.token = i.claim AND verdicts[i.place] = 'done';
  END IF;
END $$`

/** The one writer of the books: applies a batch of movements, each completely or not at all. */
export const movements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(movementType)
  yield* sql.unsafe(postMovements)
})
