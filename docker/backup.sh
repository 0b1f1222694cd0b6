#!/bin/sh
# Backs up an installation of compose.yaml while it runs: the database, the files, docker/.env and docker/settings.env.
#   docker/backup.sh [--keep <n>] [<folder>]
# Writes <folder>/<time>/ (default: docker/backups), readable by its owner only, and keeps the newest 14 backups there.
# A backup contains all secrets: store a copy elsewhere, encrypted. docker/restore.sh restores it.
set -eu
umask 077
here=$(cd "$(dirname "$0")" && pwd)
folder=$here/backups
keep=14

fail() {
  echo "backup: $*" >&2
  exit 1
}
while [ $# -gt 0 ]; do
  case $1 in
    --keep) keep=${2:-} && shift $(($# > 1 ? 2 : 1)) ;;
    -*) fail "unknown option $1; usage: docker/backup.sh [--keep <n>] [<folder>]" ;;
    *) folder=$1 && shift ;;
  esac
done
case $keep in '' | 0 | *[!0-9]*) fail '--keep needs a number, at least 1' ;; esac
[ -r "$here/.env" ] || fail "$here/.env is missing: is this the folder of the installation?"

docker compose version >/dev/null 2>&1 || fail 'docker compose is missing: install Docker with its Compose plugin'

COMPOSE_FILE=${COMPOSE_FILE:-$here/compose.yaml}
export COMPOSE_FILE
in_postgres() { docker compose exec -T postgres "$@" </dev/null; }
size() { du -h "$1" | cut -f 1; }

mkdir -p "$folder"
name=$(date -u +%Y%m%dT%H%M%SZ)
[ ! -e "$folder/$name" ] || fail "$folder/$name is there already: wait a second"
draft=$folder/$name.part
trap 'rm -rf "$draft"' EXIT
mkdir "$draft"

# Copy the files last, so that the copy includes every file that the database references.
in_postgres pg_dumpall -U postgres --roles-only --no-role-passwords >"$draft/roles.sql"
in_postgres pg_dump -U postgres --format=custom switchboard >"$draft/switchboard.dump"
echo "database  $(size "$draft/switchboard.dump")"
docker compose run --rm -T --no-deps gateway tar -c -C /var/lib/switchboard/blobs . </dev/null >"$draft/files.tar"
echo "files     $(size "$draft/files.tar")"
for part in roles.sql switchboard.dump files.tar; do
  [ -s "$draft/$part" ] || fail "$part is empty"
done
cp "$here/.env" "$draft/env"
[ ! -e "$here/settings.env" ] || cp "$here/settings.env" "$draft/settings.env"
echo "settings  $here/.env"
sums=$(cd "$draft" && sha256sum -- *)
echo "$sums" >"$draft/SHA256SUMS"
mv "$draft" "$folder/$name"

find "$folder" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*T[0-9]*Z' | sort -r | tail -n "+$((keep + 1))" |
  while IFS= read -r old; do
    rm -rf "$old"
    echo "removed   $old"
  done
echo "backup    $folder/$name"
