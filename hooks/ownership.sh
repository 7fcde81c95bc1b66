# Trust: whether the recorded client may run. The policy stands in words in ownership.py.
#
# Sourced by hook.sh, which sets $home and $client. Runs ls and id, found where the system keeps
# them, whatever PATH says. A home that is not trusted is passed over in silence: the Python client
# looks at it anew and says why.

trusts_client() {
    me=$(command -p id -u) && group=$(command -p id -g) || return 1
    trusts_path "$home" || return 1
    for file in "$home/hook-client" "$client"; do
        trusts_path "$file" && continue
        printf 'reverie: the recorded client is not used: %s\n' "$why" >&2
        return 1
    done
}

# Whether a path, each folder above it and each link on the way is trusted; $why not.
trusts_path() {
    follow=$1 links=0
    while trusts_listed "$follow"; do
        [ -h "$follow" ] || return 0
        links=$((links + 1))
        [ "$links" -le 40 ] || return 1
        target=$(command -p ls -ld -- "$follow") && target=${target#*"$follow -> "}
        case $target in /*) follow=$target ;; *) follow=${follow%/*}/$target ;; esac
    done
    return 1
}

# The same, but for the target of a link at its end. Both ways that lead there are looked at: the
# one that is written, with its links, and the one without any.
trusts_listed() {
    why="$1 cannot be looked at"
    case $1 in *"
"*) return 1 ;; esac
    folder=${1%/*}
    real=$(cd -P -- "$folder/" 2>/dev/null && pwd -P) || return 1
    # A name that ends in "/." is what sticky bits do not excuse: a program's folder, the home.
    set -- "$1"
    if [ -d "$1" ]; then set -- "$1" "$1/."; else set -- "$1" "$real/."; fi
    for way in "$folder" "$real"; do
        while [ -n "$way" ] && [ "$way" != / ]; do
            set -- "$@" "$way"
            way=${way%/*}
        done
    done
    listing=$(LC_ALL=C command -p ls -ldn -- "$@" 2>/dev/null) || return 1
    while read -r mode _ user owners named; do
        trusts_entry || return 1
    done <<LISTING
$listing
LISTING
}

# Whether one line of ls -ldn is trusted: $mode, $user, $owners (its group), $named (size and name).
trusts_entry() {
    name=/${named#*/}
    case $mode in l*) name=${name%%" -> "*} ;; esac
    why="${name%/.} belongs to user $user"
    case $user:$mode:$name in
    0:* | "$me":*) ;;
    65534:d*/.) return 1 ;;
    65534:d*) has_root && return 1 ;; # root's, as a sandbox shows it
    *) return 1 ;;
    esac
    case $mode in
    l*) return 0 ;;
    d????????[tT]*) case $name in */.) ;; *) return 0 ;; esac ;;
    esac
    why="everybody may write ${name%/.}"
    case $mode in ????????w*) return 1 ;; esac
    why="group $owners may write ${name%/.}"
    case $mode in ?????w*) is_private "$owners" ;; esac
}

# Whether root is a user of this user namespace; elsewhere than on Linux it always is.
has_root() {
    [ -r /proc/self/uid_map ] || return 0
    while read -r inside _; do
        [ "$inside" = 0 ] && return 0
    done </proc/self/uid_map
    return 1
}

# Whether nobody but this user (and root) is in the group.
is_private() {
    [ -d /System/Library/CoreServices ] && [ "$1" = 80 ] && return 0
    login= called= primary=$group
    while IFS=: read -r title _ user first _; do
        if [ "$user" = "$me" ]; then
            login=$title primary=$first
        fi
    done </etc/passwd
    [ "$1" = "$primary" ] || return 1
    while IFS=: read -r title _ user first _; do
        [ "$first" = "$1" ] && [ "$1" != 0 ] || continue
        case $user in 0 | "$me") ;; *) return 1 ;; esac
    done </etc/passwd
    while IFS=: read -r title _ number members _; do
        [ "$number" = "$1" ] || continue
        called=$title
        case ,$members, in ,, | ,root, | ",$login," | ",root,$login," | ",$login,root,") ;; *) return 1 ;; esac
    done </etc/group
    [ "$1" = 0 ] || [ "$1" = "$me" ] || { [ -n "$login" ] && [ "$called" = "$login" ]; }
}
