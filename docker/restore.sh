#!/bin/sh
# Restores a backup of docker/backup.sh into an installation of compose.yaml.
#   docker/restore.sh [--yes] <backup>        restores database and files, and the settings if docker/.env is missing
#   docker/restore.sh [--yes] --broker-only   starts an empty broker, to which the services republish their messages
# docs/operations/backup-restore.md explains the steps and what is lost.
set -eu
umask 077
here=$(cd "$(dirname "$0")" && pwd)
services='gateway messaging templates otp jobs webhooks'
usage='usage: docker/restore.sh [--yes] <backup> | --broker-only'
backup=
broker_only=
yes=

fail() {
  echo "restore: $*" >&2
  exit 1
}
while [ $# -gt 0 ]; do
  case $1 in
    --yes) yes=1 ;;
    --broker-only) broker_only=1 ;;
    -*) fail "unknown option $1; $usage" ;;
    *) [ -z "$backup" ] || fail "$usage" && backup=$1 ;;
  esac
  shift
done
[ -n "$backup$broker_only" ] || fail "$usage"
[ -z "$backup" ] || [ -z "$broker_only" ] || fail "$usage"
[ -n "$backup" ] || [ -r "$here/.env" ] || fail "$here/.env is missing: is this the folder of the installation?"

COMPOSE_FILE=${COMPOSE_FILE:-$here/compose.yaml}
export COMPOSE_FILE
in_postgres() { docker compose exec -T postgres "$@"; }
sql() { in_postgres psql -U postgres -d postgres -v ON_ERROR_STOP=1 -qAt -c "$1" </dev/null; }
run_once() { docker compose run --rm -T --no-deps "$@"; }
value() { sed -n "s/^$1=//p" "$2" | tail -n 1; }
step() { printf '%s …\n' "$*"; }

# Run all checks before changing anything.
if [ -n "$backup" ]; then
  [ -d "$backup" ] || fail "there is no folder $backup"
  backup=$(cd "$backup" && pwd)
  (cd "$backup" && sha256sum --quiet -c SHA256SUMS) >&2 || fail "$backup is not complete, or was changed"
  if [ -e "$here/.env" ]; then
    for name in ENCRYPTION_KEY OTP_PEPPER; do
      [ "$(value $name "$here/.env")" = "$(value $name "$backup/env")" ] ||
        fail "$here/.env has another $name than the backup, which the restored data needs: set it to that of $backup/env"
    done
  fi
  question="Replace the database of this installation by $backup? [y/N] "
else
  question='Replace the broker of this installation by an empty one? [y/N] '
fi
[ -n "$broker_only" ] || [ -e "$here/.env" ] || step "settings: $here/.env of the backup"
if [ -z "$yes" ]; then
  [ -t 0 ] || fail 'nothing was done: add --yes where nobody can be asked'
  printf '%s' "$question"
  read -r answer
  case $answer in y | Y | yes) ;; *) fail 'nothing was done' ;; esac
fi
docker compose version >/dev/null 2>&1 || fail 'docker compose is missing: install Docker with its Compose plugin'
if [ ! -e "$here/.env" ]; then
  # Copy docker/.env last, so that after an interruption the next attempt copies both files.
  [ ! -e "$backup/settings.env" ] || cp "$backup/settings.env" "$here/settings.env"
  cp "$backup/env" "$here/.env"
elif [ -e "$backup/settings.env" ] && ! cmp -s "$backup/settings.env" "$here/settings.env"; then
  echo "restore: $here/settings.env stays as it is; that of the backup differs: $backup/settings.env" >&2
fi

step 'stopping the services'
docker compose stop $services
# A failing command ends the script with the services stopped.
unfinished=1
trap '[ -z "$unfinished" ] ||
  echo "restore: not finished, and the services are stopped. Remove the cause and run the same command again" >&2' EXIT
step 'starting PostgreSQL and RabbitMQ'
docker compose up -d --wait postgres rabbitmq

if [ -n "$backup" ]; then
  step 'database'
  # The previous database is renamed and kept until the operator drops it.
  replaced=switchboard_replaced_$(date -u +%Y%m%d%H%M%S)
  sql "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'switchboard'" >/dev/null
  had=$(sql "SELECT 1 FROM pg_database WHERE datname = 'switchboard'")
  [ -z "$had" ] || sql "ALTER DATABASE switchboard RENAME TO $replaced"
  # Roles that already exist are reported as errors and remain unchanged.
  in_postgres psql -U postgres -d postgres -q <"$backup/roles.sql" >/dev/null 2>&1
  if ! in_postgres pg_restore -U postgres --create --exit-on-error -d postgres <"$backup/switchboard.dump"; then
    sql 'DROP DATABASE IF EXISTS switchboard'
    [ -z "$had" ] || sql "ALTER DATABASE $replaced RENAME TO switchboard"
    unfinished=
    fail 'the dump could not be restored; the database is as it was. Start the services: docker compose up -d --wait'
  fi
  step 'files'
  run_once gateway tar -x -C /var/lib/switchboard/blobs <"$backup/files.tar"
fi

# The old broker's messages do not match the restored database.
step 'an empty broker'
volume=$(docker inspect --format '{{range .Mounts}}{{if eq .Destination "/var/lib/rabbitmq"}}{{.Name}}{{end}}{{end}}' \
  "$(docker compose ps -aq rabbitmq)")
[ -n "$volume" ] || fail 'the volume of RabbitMQ was not found'
docker compose rm --stop --force rabbitmq
docker volume rm "$volume" >/dev/null
docker compose up -d --wait rabbitmq
run_once broker-set-up </dev/null

step 'migrations, and messages of the last fifteen minutes published again'
for service in $services; do
  run_once "migrate-$service" node --enable-source-maps migrate.mjs --republish </dev/null
done

# From here on, the services accept messages, and a second restore would move them aside together with the database.
unfinished=
[ -z "${had:-}" ] || cat <<EOF
The database of before is $replaced. When you no longer need it:
  docker compose -f $COMPOSE_FILE exec postgres dropdb -U postgres $replaced
EOF
step 'starting the services'
docker compose up -d --no-build --wait ||
  fail 'all is restored, but not everything started. Remove the cause, then: docker compose up -d --no-build --wait'
step 'checking the installation'
docker compose run --rm -T operator doctor </dev/null
