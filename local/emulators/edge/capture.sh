#!/bin/sh
# Stands in for workerd while Miniflare writes its configuration.
umask 077
cat >"$CONFIG"
