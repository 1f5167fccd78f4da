import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const movementType = `
CREATE TYPE movement AS (
  kind text, charge_id uuid, account_id uuid, environment text, endpoint text, mode text, platforms text[],
  price bigint, amount bigint, outcomes jsonb, cached boolean, memo text, claim uuid, "check" json, reply json
)`

const postMovements = `
CREATE FUNCTION post_movements(batch json) RETURNS TABLE (verdict text, balance bigint) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  items movement[];
  moment timestamptz;
  stamp text;
  m record;
  w wallets;
  e ledger_entries;
  kinds text[];
  amounts bigint[];
  verdicts text[];
  balances bigint[];
  changed wallets[] := '{}';
  entered ledger_entries[] := '{}';
  opened charges[] := '{}';
  closed charges[] := '{}';
BEGIN
  SELECT array_agg(i) INTO items FROM json_populate_recordset(NULL::movement, batch) i;

  IF EXISTS (SELECT FROM unnest(items) i WHERE i.kind = 'topup') THEN
    INSERT INTO wallets (account_id, environment)
    SELECT DISTINCT i.account_id, i.environment FROM unnest(items) i WHERE i.kind = 'topup' ON CONFLICT DO NOTHING;
  END IF;

  -- Every batch locks wallets, then claims, each in one order, so batches wait for each other and never in a circle.
  PERFORM FROM (
    SELECT FROM wallets JOIN (
      SELECT DISTINCT coalesce(i.account_id, c.account_id) AS account_id, coalesce(i.environment, c.environment) AS environment
      FROM unnest(items) i LEFT JOIN charges c ON c.id = CASE WHEN i.account_id IS NULL THEN i.charge_id END
    ) k USING (account_id, environment)
    ORDER BY account_id, environment FOR UPDATE OF wallets
  ) locked;
  PERFORM FROM (
    SELECT FROM replies JOIN (
      SELECT DISTINCT coalesce(i.claim, c.claim) AS token
      FROM unnest(items) i LEFT JOIN charges c ON c.id = i.charge_id WHERE i.kind IN ('settle', 'charge')
    ) k USING (token)
    ORDER BY token FOR UPDATE OF replies
  ) locked;

  -- After the locks: this is the moment the batch happens, and the next statement sees what earlier batches committed.
  moment := clock_timestamp();
  stamp := to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

  FOR m IN
    SELECT i.ordinality AS place, i.kind, i.charge_id, i.endpoint, i.mode, i.platforms, i.amount, i.outcomes, i.cached,
      i.memo, coalesce(i.price, c.price) AS price, coalesce(i.claim, c.claim) AS claim, c.state,
      r.token IS NOT NULL AND r.status IS NULL AS claimed, x AS wallet, x.account_id, x.environment,
      row_number() OVER (PARTITION BY i.kind = 'topup', i.charge_id ORDER BY i.ordinality) AS turn
    FROM unnest(items) WITH ORDINALITY i
    LEFT JOIN charges c ON c.id = CASE WHEN i.account_id IS NULL THEN i.charge_id END
    LEFT JOIN wallets x ON x.account_id = coalesce(i.account_id, c.account_id)
      AND x.environment = coalesce(i.environment, c.environment)
    LEFT JOIN replies r ON r.token = CASE WHEN i.kind IN ('settle', 'charge') THEN coalesce(i.claim, c.claim) END
    ORDER BY x.account_id, x.environment, i.ordinality
  LOOP
    IF m.account_id IS DISTINCT FROM w.account_id OR m.environment IS DISTINCT FROM w.environment THEN
      IF w.account_id IS NOT NULL THEN changed := changed || w; END IF;
      w := m.wallet;
    END IF;
    balances[m.place] := coalesce(w.available, 0);

    verdicts[m.place] := CASE
      WHEN m.turn > 1 THEN 'lost'
      WHEN m.kind IN ('hold', 'charge') AND coalesce(w.available, 0) < m.price THEN 'refused'
      WHEN m.kind IN ('settle', 'void') AND m.state IS DISTINCT FROM 'held' THEN 'lost'
      WHEN m.kind IN ('settle', 'charge') AND m.claim IS NOT NULL AND NOT m.claimed THEN 'lost'
      ELSE 'done'
    END;
    CONTINUE WHEN verdicts[m.place] <> 'done';
    CONTINUE WHEN m.kind = 'topup' AND m.memo IS NOT NULL AND EXISTS (
      SELECT FROM ledger_entries p WHERE p.account_id = w.account_id AND p.environment = w.environment
        AND p.memo = m.memo AND p.kind = 'topup');

    CASE m.kind
      WHEN 'hold' THEN kinds := '{hold}'; amounts := ARRAY[m.price];
      WHEN 'charge', 'topup' THEN kinds := ARRAY[m.kind]; amounts := ARRAY[m.amount];
      ELSE kinds := '{capture,release}'; amounts := ARRAY[m.amount, m.price - m.amount];
    END CASE;
    IF m.kind IN ('hold', 'charge') THEN
      opened := opened || ROW(m.charge_id, w.account_id, w.environment, w.entries + 1, m.endpoint, m.mode, m.platforms,
        m.price, CASE m.kind WHEN 'hold' THEN 'held' ELSE 'settled' END, m.amount, m.outcomes, m.cached, m.claim,
        moment + interval '150 seconds', moment, CASE m.kind WHEN 'charge' THEN moment END)::charges;
    ELSIF m.kind IN ('settle', 'void') THEN
      closed := closed || ROW(m.charge_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        CASE m.amount WHEN 0 THEN 'voided' ELSE 'settled' END, m.amount, m.outcomes, m.cached, NULL, NULL, NULL,
        moment)::charges;
    END IF;

    FOR leg IN 1 .. cardinality(kinds) LOOP
      CONTINUE WHEN amounts[leg] = 0;
      w.entries := w.entries + 1;
      CASE kinds[leg]
        WHEN 'topup' THEN
          e.debit := 'topups'; e.credit := 'available';
          w.available := w.available + amounts[leg];
        WHEN 'hold' THEN
          e.debit := 'available'; e.credit := 'held';
          w.available := w.available - amounts[leg]; w.held := w.held + amounts[leg];
        WHEN 'capture' THEN
          e.debit := 'held'; e.credit := 'revenue';
          w.held := w.held - amounts[leg];
        WHEN 'release' THEN
          e.debit := 'held'; e.credit := 'available';
          w.held := w.held - amounts[leg]; w.available := w.available + amounts[leg];
        WHEN 'charge' THEN
          e.debit := 'available'; e.credit := 'revenue';
          w.available := w.available - amounts[leg];
      END CASE;
      w.head := sha256(w.head || convert_to(concat_ws('|', w.account_id, w.environment, w.entries,
        coalesce(m.charge_id::text, ''), kinds[leg], e.debit, e.credit, amounts[leg], w.available, w.held, stamp,
        coalesce(m.memo, '')), 'UTF8'));
      entered := entered || ROW(w.account_id, w.environment, w.entries, m.charge_id, kinds[leg], e.debit, e.credit,
        amounts[leg], w.available, w.held, m.memo, moment, w.head)::ledger_entries;
    END LOOP;
    balances[m.place] := w.available;
  END LOOP;
  IF w.account_id IS NOT NULL THEN changed := changed || w; END IF;

  UPDATE wallets SET available = u.available, held = u.held, entries = u.entries, head = u.head
  FROM unnest(changed) u WHERE wallets.account_id = u.account_id AND wallets.environment = u.environment;
  INSERT INTO ledger_entries SELECT * FROM unnest(entered);
  IF cardinality(opened) > 0 THEN
    INSERT INTO charges SELECT * FROM unnest(opened);
  END IF;
  IF cardinality(closed) > 0 THEN
    UPDATE charges SET state = u.state, amount = u.amount, outcomes = u.outcomes, cached = u.cached, finished_at = u.finished_at
    FROM unnest(closed) u WHERE charges.id = u.id;
  END IF;
  INSERT INTO checks
  SELECT k.id, c.id, c.account_id, c.environment, c.mode, k.query, k.brand, k.request, k.result, moment, k."durationMs"
  FROM unnest(items) WITH ORDINALITY i JOIN charges c ON c.id = i.charge_id
  CROSS JOIN LATERAL json_to_record(i."check") AS k (id uuid, query text, brand text, request json, result json, "durationMs" integer)
  WHERE i."check" IS NOT NULL AND verdicts[i.ordinality] = 'done';
  UPDATE replies SET status = k.status, headers = k.headers, balance_header = k."balanceHeader", head = k.head,
    tail = k.tail, balance = balances[i.ordinality]
  FROM unnest(items) WITH ORDINALITY i JOIN charges c ON c.id = i.charge_id
  CROSS JOIN LATERAL json_to_record(i.reply) AS k (status integer, headers json, "balanceHeader" text, head text, tail text)
  WHERE i.reply IS NOT NULL AND replies.token = c.claim AND verdicts[i.ordinality] = 'done';

  RETURN QUERY SELECT * FROM unnest(verdicts, balances);
END $$`

/** The one writer of the books: applies a batch of movements, each in whole or not at all. */
export const movements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(movementType)
  yield* sql.unsafe(postMovements)
})
