#!/bin/sh
# Writes docker/.env from env.example, with a random value for every secret that env.example leaves empty. Never changes
# an existing docker/.env, because its passwords match the volumes. Usage: docker/make-env.sh [folder]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here}
if [ ! -d "$folder" ]; then
  echo "there is no folder $folder; usage: docker/make-env.sh [folder]" >&2
  exit 1
fi
target=$folder/.env
if [ -e "$target" ]; then
  echo "$target exists and is left as it is" >&2
  exit 1
fi
umask 077
while IFS= read -r line; do
  case $line in
    ENCRYPTION_KEY=) printf '%s%s\n' "$line" "$(head -c 32 /dev/urandom | base64)" ;;
    [A-Z]*=) printf '%s%s\n' "$line" "$(head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n')" ;;
    *) printf '%s\n' "$line" ;;
  esac
done <"$here/env.example" >"$target.new"
mv "$target.new" "$target"
echo "wrote $target"
